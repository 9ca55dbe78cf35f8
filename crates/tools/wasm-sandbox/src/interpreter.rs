//! One job in the interpreter: in slices of fuel, and between two of them a look at the clock and at whoever waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use wasmi::{
    CompilationMode, Config, EnforcedLimits, Engine, Error, Func, Linker, Module, ResourceLimiter,
    ResumableCall, Store, TrapCode,
};
use wasmi_core::LimiterError;

use crate::wasi::{self, World};
use crate::{Code, End, Ended, Job, LimitReached, Limits, MODULE_BYTES_MAX, Used};

/// Small, because an instruction can take far longer than a unit of fuel should: a call that clears many locals.
const SLICE_FUEL: u64 = 10_000;
const NESTED_CALLS_MAX: usize = 10_000;
const STACK_BYTES_MAX: usize = 4 * 1024 * 1024;
const TABLES_MAX: usize = 16;
const TABLE_ELEMENTS_MAX: usize = 100_000;
const IMPORTS_MAX: usize = 1_000;
const START: &str = "_start";

pub(crate) enum NotRun {
    BadModule(String),
    CalledOff,
    Trouble(String),
}

pub(crate) fn run(job: Job, gone: &AtomicBool) -> Result<Ended, NotRun> {
    let begun = Instant::now();
    let limits = job.limits.clone();
    let engine = Engine::new(&config());
    let module = load(&engine, job.code)?;
    let world = World::new(job.stdin, job.files, job.now, job.seed, limits.clone());
    let mut store = Store::new(&engine, Inside::new(world, &limits));
    store.limiter(|inside| &mut inside.bounds);
    let mut fuel = Fuel {
        given: SLICE_FUEL.min(limits.fuel),
        max: limits.fuel,
    };
    store.set_fuel(fuel.given).map_err(trouble)?;
    let end = match start_function(&mut store, &module)? {
        Started::Function(function) => {
            let clock = Clock { begun, gone };
            execute(&mut store, function, &limits, &mut fuel, &clock)?
        }
        Started::Limit(limit) => End::Limit(limit),
    };
    let left = store.get_fuel().map_err(trouble)?;
    let Inside { world, bounds } = store.into_data();
    let (stdout, stderr, files) = world.left(job.wanted);
    Ok(Ended {
        end,
        stdout,
        stderr,
        files,
        used: Used {
            fuel: fuel.given.saturating_sub(left),
            memory_bytes_peak: bounds.memory_bytes_peak,
        },
    })
}

fn trouble(error: Error) -> NotRun {
    NotRun::Trouble(error.to_string())
}

fn config() -> Config {
    let mut config = Config::default();
    config
        .consume_fuel(true)
        // A start section would run where no slice ends; commands have `_start`.
        .allow_start_fn(false)
        .ignore_custom_sections(true)
        // All of it before the job starts, so that fuel is about the job alone.
        .compilation_mode(CompilationMode::Eager)
        .enforced_limits(EnforcedLimits::strict())
        .wasm_multi_memory(false)
        .set_max_stack_height(STACK_BYTES_MAX)
        .set_max_recursion_depth(NESTED_CALLS_MAX)
        .set_max_cached_stacks(0);
    config
}

fn load(engine: &Engine, code: Code) -> Result<Module, NotRun> {
    let bytes = match code {
        Code::Text(text) => {
            wat::parse_str(&text).map_err(|error| NotRun::BadModule(error.to_string()))?
        }
        Code::Binary(bytes) => bytes,
    };
    if bytes.len() > MODULE_BYTES_MAX {
        return Err(NotRun::BadModule(format!(
            "it has {} bytes; the limit is {MODULE_BYTES_MAX}",
            bytes.len()
        )));
    }
    let module =
        Module::new(engine, bytes).map_err(|error| NotRun::BadModule(error.to_string()))?;
    let imports = module.imports().len();
    if imports > IMPORTS_MAX {
        return Err(NotRun::BadModule(format!(
            "it has {imports} imports; the limit is {IMPORTS_MAX}"
        )));
    }
    Ok(module)
}

enum Started {
    Function(Func),
    Limit(LimitReached),
}

fn start_function(store: &mut Store<Inside>, module: &Module) -> Result<Started, NotRun> {
    let mut linker = Linker::new(store.engine());
    wasi::link(&mut linker).map_err(|error| NotRun::Trouble(error.to_string()))?;
    let instance = match linker.instantiate_and_start(&mut *store, module) {
        Ok(instance) => instance,
        Err(error) => {
            return match store.data().bounds.reached {
                Some(limit) => Ok(Started::Limit(limit)),
                None => Err(NotRun::BadModule(error.to_string())),
            };
        }
    };
    let function = instance.get_typed_func::<(), ()>(&*store, START);
    let function = function.map_err(|_| {
        NotRun::BadModule(format!(
            "it does not export a function `{START}` without parameters and results"
        ))
    })?;
    Ok(Started::Function(*function.func()))
}

struct Fuel {
    given: u64,
    max: u64,
}

struct Clock<'a> {
    begun: Instant,
    gone: &'a AtomicBool,
}

fn execute(
    store: &mut Store<Inside>,
    function: Func,
    limits: &Limits,
    fuel: &mut Fuel,
    clock: &Clock<'_>,
) -> Result<End, NotRun> {
    let mut state = function.call_resumable(&mut *store, &[], &mut []);
    loop {
        let paused = match state {
            Ok(ResumableCall::Finished) => return Ok(End::Exit(0)),
            Ok(ResumableCall::HostTrap(trap)) => return Ok(ending(store, trap.host_error())),
            Ok(ResumableCall::OutOfFuel(paused)) => paused,
            Err(error) => return Ok(ending(store, &error)),
        };
        if clock.gone.load(Ordering::Relaxed) {
            return Err(NotRun::CalledOff);
        }
        if clock.begun.elapsed() >= limits.wall {
            return Ok(End::Limit(LimitReached::Wall { wall: limits.wall }));
        }
        let left = store.get_fuel().map_err(trouble)?;
        let slice = SLICE_FUEL.max(paused.required_fuel());
        let given = fuel.given.saturating_add(slice.saturating_sub(left));
        if given > fuel.max {
            return Ok(End::Limit(LimitReached::Fuel { fuel: fuel.max }));
        }
        fuel.given = given;
        store.set_fuel(slice).map_err(trouble)?;
        state = paused.resume(&mut *store, &mut []);
    }
}

fn ending(store: &Store<Inside>, error: &Error) -> End {
    if let Some(status) = error.i32_exit_status() {
        return End::Exit(status);
    }
    if let Some(limit) = store.data().bounds.reached {
        return End::Limit(limit);
    }
    if error.as_trap_code() == Some(TrapCode::StackOverflow) {
        return End::Limit(LimitReached::Stack {
            calls: NESTED_CALLS_MAX,
            bytes: STACK_BYTES_MAX,
        });
    }
    End::Trap {
        why: error.to_string(),
    }
}

/// What the interpreter keeps for a job.
pub(crate) struct Inside {
    pub(crate) world: World,
    bounds: Bounds,
}

impl Inside {
    fn new(world: World, limits: &Limits) -> Self {
        Self {
            world,
            bounds: Bounds {
                memory_bytes_max: limits.memory_bytes,
                memory_bytes_peak: 0,
                reached: None,
            },
        }
    }
}

/// Ends a job that grows beyond its limit: one that is only told so mostly goes on to a puzzling end.
struct Bounds {
    memory_bytes_max: u64,
    memory_bytes_peak: u64,
    reached: Option<LimitReached>,
}

impl Bounds {
    fn refuse(&mut self, limit: LimitReached) -> Result<bool, LimiterError> {
        self.reached = Some(limit);
        Err(LimiterError::ResourceLimiterDeniedAllocation)
    }
}

impl ResourceLimiter for Bounds {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        let bytes = self.memory_bytes_max;
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        if desired as u64 > bytes {
            return self.refuse(LimitReached::Memory { bytes });
        }
        self.memory_bytes_peak = self.memory_bytes_peak.max(desired as u64);
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            return Ok(false);
        }
        if desired > TABLE_ELEMENTS_MAX {
            return self.refuse(LimitReached::Table {
                elements: TABLE_ELEMENTS_MAX,
            });
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        TABLES_MAX
    }

    fn memories(&self) -> usize {
        1
    }
}
