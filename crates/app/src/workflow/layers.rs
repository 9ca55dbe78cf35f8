//! In which layer each task of a plan stands: counted from zero, one more than the highest of those it waits for.

use std::collections::BTreeMap;

use adjutant_mission::{Plan, TaskKey};

/// The tasks of each layer, in the order of the plan. Tasks that wait for each other share a layer.
pub(super) fn layers(plan: &Plan) -> Vec<Vec<TaskKey>> {
    let known: BTreeMap<&TaskKey, usize> = plan
        .tasks
        .iter()
        .enumerate()
        .map(|(at, task)| (&task.key, at))
        .collect();
    let above: Vec<Vec<usize>> = plan
        .tasks
        .iter()
        .map(|task| {
            let on = task.after.iter().filter_map(|on| known.get(&on.task));
            on.copied().collect()
        })
        .collect();
    let mut layer_of = vec![0usize; plan.tasks.len()];
    // Each round settles at least one more layer. The rounds are bounded, because a cycle would never settle.
    for _ in 0..plan.tasks.len() {
        let mut moved = false;
        for (at, above) in above.iter().enumerate() {
            let layer = above.iter().map(|&on| layer_of[on] + 1).max().unwrap_or(0);
            if layer > layer_of[at] && layer < plan.tasks.len() {
                layer_of[at] = layer;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    let count = layer_of.iter().max().map_or(0, |last| last + 1);
    let mut layers = vec![Vec::new(); count];
    for (task, layer) in plan.tasks.iter().zip(layer_of) {
        layers[layer].push(task.key.clone());
    }
    layers.retain(|layer| !layer.is_empty());
    layers
}

#[cfg(test)]
mod tests {
    use adjutant_mission::{Json, Task, ToolCall, ToolId, WorkSpec};

    use super::*;

    fn task(key: &str, after: &[&str]) -> Task {
        let work = WorkSpec::Tool(ToolCall {
            tool: ToolId::new("noop").unwrap(),
            with: Json::parse("{}").unwrap(),
        });
        let after = after.iter().map(|key| TaskKey::new(*key).unwrap());
        Task::new(TaskKey::new(key).unwrap(), work).after(after)
    }

    #[test]
    fn a_task_stands_below_the_lowest_that_it_waits_for_in_whatever_order_they_are_listed() {
        let plan = Plan::new(
            "t",
            vec![
                task("d", &["a", "c"]),
                task("c", &["b"]),
                task("a", &[]),
                task("b", &["a"]),
            ],
        );
        let told: Vec<Vec<String>> = layers(&plan)
            .iter()
            .map(|layer| layer.iter().map(ToString::to_string).collect())
            .collect();
        assert_eq!(told, [["a"], ["b"], ["c"], ["d"]]);
    }
}
