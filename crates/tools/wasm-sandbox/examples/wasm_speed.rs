//! How long a job takes to start, and how much one does in a second.

use std::time::Instant;

use adjutant_wasm_sandbox::{Code, Job, RunFailure, WasmSandbox};

const STARTS: usize = 50;
const ROUNDS: u32 = 50_000_000;

#[tokio::main]
async fn main() -> Result<(), RunFailure> {
    let sandbox = WasmSandbox::new();
    let nothing = "(module (memory (export \"memory\") 1) (func (export \"_start\")))";
    let mut times = Vec::new();
    for _ in 0..STARTS {
        let begun = Instant::now();
        sandbox.run(Job::new(Code::Text(nothing.into()))).await?;
        times.push(begun.elapsed());
    }
    times.sort();
    println!(
        "start: p50 {:?}, most {:?}",
        times[STARTS / 2],
        times[STARTS - 1]
    );
    let sum = format!(
        "(module (memory (export \"memory\") 1) (func (export \"_start\") (local $i i32) (local $sum i32)
            (loop $again
                (local.set $sum (i32.add (local.get $sum) (i32.mul (local.get $i) (local.get $i))))
                (i32.store (i32.const 0) (local.get $sum))
                (local.set $i (i32.add (local.get $i) (i32.const 1)))
                (br_if $again (i32.lt_u (local.get $i) (i32.const {ROUNDS}))))))"
    );
    let begun = Instant::now();
    let ended = sandbox.run(Job::new(Code::Text(sum))).await?;
    let took = begun.elapsed();
    let speed = ended.used.fuel as f64 / took.as_secs_f64() / 1e6;
    println!(
        "{:?}: {} fuel in {took:?}, {speed:.0} million a second",
        ended.end, ended.used.fuel
    );
    Ok(())
}
