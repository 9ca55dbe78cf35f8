//! Files that are wrong: what their author gets to read. The snapshot shows each file and its answer.
#![expect(
    clippy::unwrap_used,
    reason = "a test that panics is a test that fails"
)]

mod support;

use std::fmt::Write as _;

use adjutant_plans::{FILE_BYTES_MAX, PROBLEMS_MAX, read};
use support::BuiltIn;

const CASES: &[(&str, &str)] = &[
    ("empty", ""),
    ("only a comment", "# nothing yet\n"),
    ("not a map", "- a\n- b\n"),
    ("just text", "Hello there"),
    (
        "two documents",
        "title: A\ntasks: [{id: a, tool: noop}]\n---\ntitle: B\n",
    ),
    (
        "bad indentation",
        "title: T\ntasks:\n  - id: a\n   tool: noop\n",
    ),
    ("tab", "title: T\ntasks:\n\t- id: a\n"),
    ("unclosed quote", "title: \"T\ntasks: []\n"),
    (
        "unclosed bracket",
        "title: T\ntasks: [{id: a, tool: noop}\n",
    ),
    ("colon in text", "title: Note: this\ntasks: []\n"),
    ("fields missing", "objective: x\n"),
    ("no tasks", "title: T\ntasks: []\n"),
    ("empty values", "title:\ntasks:\n"),
    (
        "unknown fields",
        "titel: T\ntitle: T\nsteps: []\nwibble: 1\ntasks:\n- id: a\n  tool: noop\n  depends_on: b\n  retry: {tries: 3, attempt: 2}\n",
    ),
    (
        "repeated fields",
        "title: T\ntitle: U\ntasks:\n- id: a\n  tool: noop\n  with:\n    value: 1\n    value: 2\n",
    ),
    (
        "wrong types",
        "title: [a]\nobjective: {a: 1}\ninputs: 3\nconcurrency: many\nbarrier: [wait]\ncaps: none\nconstraints: {a: b}\ntasks:\n- id: {a: b}\n  tool: noop\n  milestone: maybe\n  priority: 1.5\n- just text\n- id: c\n  tool: noop\n  with: [1]\n  after: {task: [x]}\n",
    ),
    (
        "wrong words",
        "title: T\nstrategy: paralel_safe\nbarrier: maybe\nautonomy: Strict\non_failure: giveup\ntasks:\n- id: a\n  tool: noop\n  approval: never\n- id: b\n  tool: noop\n  after: [{task: a, kind: fs}]\n",
    ),
    (
        "quantities",
        "title: T\ncheckpoint_deadline: 24\nconcurrency: 70000\ncaps: {money: 1€, tokens: -1, turns: '5', wall_time: 10 minutes}\ntasks:\n- id: a\n  tool: noop\n  retry: {backoff: 1m1h, backoff_max: 9999d}\n  estimate: {money: $0.0000001, duration: 1.5}\n- id: b\n  tool: noop\n  retry: 0\n- id: c\n  tool: noop\n  retry: 21\n  caps: {money: -1, wall_time: .5h}\n",
    ),
    (
        "names",
        "title: T\ntasks:\n- id: my task\n  tool: no op\n- id: ''\n  tool: noop\n  after: [my task]\n- id: inputs\n  tool: noop\n  resources: [a b]\n- tool: noop\n",
    ),
    (
        "kinds of work",
        "title: T\ntasks:\n- id: a\n- id: b\n  tool: noop\n  human: Sure?\n- id: c\n  agent: researcher\n- id: d\n  mission: {title: x}\n  after: [nobody]\n- id: e\n  human: Sure?\n  with: {x: 1}\n  approval: always\n  otherwise: {tool: noop}\n",
    ),
    (
        "agents",
        "title: T\ntasks:\n- id: a\n  agent: telepathy\n- id: b\n  agent: {purpose: extract, level: L6, complexity: hard}\n- id: c\n  agent: {level: L4}\n- id: d\n  agent: {purpose: extract, level: L1}\n- id: e\n  agent: extract\n  with: {question: '{{nobody.output}}'}\n  approval: always\n  undo: {tool: noop}\n- id: f\n  agent: extract\n  tool: noop\n- id: g\n  agent: {purpose: extract, model: a b}\n  otherwise: {tool: nope}\n",
    ),
    (
        "graph",
        "title: T\ntasks:\n- id: a\n  tool: noop\n  after: [c]\n- id: b\n  tool: noop\n  after: [a]\n- id: c\n  tool: noop\n  after: [b]\n- id: d\n  tool: noop\n  after: [c]\n- id: e\n  tool: noop\n  after: [e, fetsch]\n- id: fetch\n  tool: noop\n- id: fetch\n  tool: noop\n- id: g\n  tool: noop\n  after: [fetch, fetch]\n",
    ),
    (
        "references",
        "title: T\ntasks:\n- id: a\n  tool: noop\n- id: b\n  tool: noop\n  with:\n    value: '{{a.output.x}} {{inputs}} {{aa.output}}'\n- id: c\n  after: a\n  human: What of {{b.output.y}} and {{a.result}}?\n- id: d\n  tool: noop\n  with: {value: {{a.output}}}\n",
    ),
    (
        "tools and arguments",
        "title: T\ntasks:\n- id: a\n  tool: clac\n- id: b\n  tool: telepathy\n- id: c\n  tool: sleep\n  with: {second: 1}\n- id: d\n  tool: noop\n  otherwise:\n    tool: write_file\n    with:\n      path: x\n      mode: 7\n",
    ),
    (
        "gates",
        "title: T\ntasks:\n- id: a\n  tool: noop\n- id: slow-one\n  tool: noop\n- id: b\n  tool: noop\n  after: a\n- id: g\n  after: [a, slow-one]\n  gate:\n    rules:\n    - {when: a.output == 1, verdict: repairable}\n    - {when: (b.output, verdict: fatal}\n    - {when: b.output == 1 || bb.output == 2 || slow-one.output == 3, verdict: bad}\n    - {verdict: fatal}\n- id: h\n  after: a\n  gate: {rules: [], return_to: bb, returns_max: 11}\n- id: i\n  after: a\n  gate: {rules: [{when: 'true', verdict: repairable}], return_to: b}\n- id: j\n  after: a\n  gate:\n    return_to: a\n    rules: [{when: inputs.x == 'b.c', verdict: repairable}]\n",
    ),
    (
        "people",
        "title: T\ntasks:\n- id: a\n  human: '  '\n- id: b\n  human:\n    question: Which?\n    kind: decision\n    options:\n    - {key: a, label: A}\n    - {key: a, label: ''}\n    - {label: C, risk: extreme, cost: lots}\n    - nothing\n    recommend: z\n- id: c\n  human: {options: [{key: a, label: A}], recommend: b, deadline: soon}\n",
    ),
    (
        "unusual YAML",
        "title: !secret T\nobjective: *nowhere\ninputs: &self {again: *self}\ntasks: !!set\n- id: a\n  tool: noop\n  with: {[x]: 1, value: .inf}\n",
    ),
    (
        "reserved inputs",
        "title: T\ninputs: {city: Lyon, mission_type: deep_dive}\ntasks:\n- id: a\n  mission:\n    plan:\n      title: U\n      inputs: {mission_type: go_no_go}\n      tasks: [{id: b, tool: noop}]\n    with: {mission_type: '{{inputs.city}}'}\n",
    ),
    (
        "blank texts",
        "title: '  '\nconstraints: ['', x]\ntasks:\n- {id: a, tool: noop, tags: [''], title: ''}\n",
    ),
];

#[test]
fn every_answer_names_place_and_remedy() {
    let mut book = String::new();
    for (name, text) in CASES {
        let errors = read(text.as_bytes(), &BuiltIn::new());
        let errors = errors.unwrap_err();
        let _ = writeln!(book, "=== {name}");
        for (n, line) in text.lines().enumerate() {
            let _ = writeln!(book, "{:>3} | {line}", n + 1);
        }
        let _ = writeln!(book, "\n{errors}\n");
    }
    insta::assert_snapshot!(book);
}

fn first(bytes: &[u8]) -> String {
    read(bytes, &BuiltIn::new()).unwrap_err().to_string()
}

#[test]
fn what_is_not_text_is_answered_in_one_line() {
    let answers = [
        first(b"title: T\nta\xffsks"),
        first("title: Caf\u{e9}\0".as_bytes()),
        first(b"\xff\xfet\0i\0"),
        first(&[0x7f, b'E', b'L', b'F', 2, 1, 1, 0]),
        first(&vec![b'a'; FILE_BYTES_MAX + 1]),
    ];
    insta::assert_snapshot!(answers.join("\n"));
}

#[test]
fn a_file_of_mistakes_is_cut_with_a_count() {
    let mut text = "title: T\ntasks:\n- {id: a, tool: noop}\n".to_owned();
    for n in 0..20_000 {
        let _ = writeln!(text, "wrong_{n}: 1");
    }
    let errors = read(text.as_bytes(), &BuiltIn::new()).unwrap_err();
    assert_eq!(errors.problems.len(), PROBLEMS_MAX);
    assert_eq!(errors.left_out, 20_000 - PROBLEMS_MAX);
    assert!(errors.to_string().ends_with("… and 19500 more"));
}
