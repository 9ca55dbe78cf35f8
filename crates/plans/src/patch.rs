//! Patch files: how a plan is to change, read against the plan as it is, so that every problem of the changed plan
//! is found before anything changes, and carried back to its line where the patch is at fault.

use adjutant_mission::{Plan, PlanPatch, Task, limits};

use crate::checks;
use crate::problem::{Position, code};
use crate::reader::{Place, Reader};
use crate::tree::Node;
use crate::{Checker, FileProblem, PlanErrors};

const PATCH_FIELDS: [&str; 4] = ["add", "change", "drop", "caps"];

/// Reads a patch file and checks the plan that it leads to.
pub fn read_patch(
    text: &[u8],
    plan: &Plan,
    checker: &dyn Checker,
) -> Result<PlanPatch, PlanErrors> {
    let (mut reader, root) = crate::begin(text)?;
    let mut patch = reader.patch(&root);
    let whole = reader.problems.is_empty();
    match patch.applied_to(plan) {
        Ok(changed) if whole && changed.tasks.len() <= limits::TASKS_MAX => {
            let places = places(&patch, &changed);
            let mut tools = checker.tools(&changed);
            checks::check_patched(&mut reader, &changed, &tools, &places, &root, checker);
            tools.retain(|id, _| changed.uses_tool(id));
            patch.tools = tools;
        }
        Ok(_) => {}
        Err(why) => {
            let remedy = "Look at the plan as it is with `adjutant show`.";
            let message = format!("the patch does not fit the plan: {why}");
            reader.problems.push(FileProblem::new(
                code::SHAPE,
                Position::START,
                "",
                message,
                remedy,
            ));
        }
    }
    match reader.problems.into_errors() {
        Some(errors) => Err(errors),
        None => Ok(patch),
    }
}

/// Where in the patch each task of the changed plan stands; nothing for those it leaves alone.
fn places(patch: &PlanPatch, changed: &Plan) -> Vec<Option<String>> {
    let find = |list: &[Task], name: &str, task: &Task| {
        let at = list.iter().position(|other| other.key == task.key)?;
        Some(format!("{name}[{at}]"))
    };
    let place =
        |task: &Task| find(&patch.add, "add", task).or_else(|| find(&patch.change, "change", task));
    changed.tasks.iter().map(place).collect()
}

impl Reader {
    fn patch(&mut self, root: &Node) -> PlanPatch {
        let Some(fields) = self.fields(root, &Place::Root, &PATCH_FIELDS) else {
            return PlanPatch::default();
        };
        let add = self.field(&fields, "add", Self::tasks);
        let change = self.field(&fields, "change", Self::tasks);
        let drop = self.field(&fields, "drop", |reader, node, place| {
            Some(reader.several(node, place, Self::name))
        });
        PlanPatch {
            add: add.unwrap_or_default(),
            change: change.unwrap_or_default(),
            drop: drop.unwrap_or_default(),
            caps: self.field(&fields, "caps", Self::caps),
            ..PlanPatch::default()
        }
    }
}
