//! Templates that could fill the memory are refused, and others give what the engine gives.

use minijinja::UndefinedBehavior;
use minijinja::value::Serde;
use serde_json::json;

use super::*;

fn rendered(source: &str) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(500_000));
    count_what_is_built(&mut environment);
    let values = json!({
        "n": 7, "name": "Ada", "big": "x".repeat(100_000), "rows": [{"a": 1, "b": "é"}, {"a": 2, "b": "<i>"}],
        "words": ["one", "two", "three"], "map": {"k": "v"},
    });
    render_counted(&environment, source, Value::from(Serde(&values)))
}

fn plainly(source: &str) -> Result<String, Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let values = json!({
        "n": 7, "name": "Ada", "big": "x".repeat(100_000), "rows": [{"a": 1, "b": "é"}, {"a": 2, "b": "<i>"}],
        "words": ["one", "two", "three"], "map": {"k": "v"},
    });
    environment.render_str(source, Value::from(Serde(&values)))
}

#[test]
fn templates_that_could_fill_the_memory_are_refused() {
    for source in [
        "{% set ns = namespace(a='a') %}{% set ns.b = ('b' ~ ns.a) * 45000000 %}{% set ns.c = ('c' ~ ns.a) * 45000000 %}done",
        "{% set a = 'a' * 90000000 %}{% set b = 'b' * 90000000 %}done",
        "{% set ns = namespace(x=['x']) %}{% for i in range(60) %}{% set ns.x = ns.x + [('y' ~ i) * 8000000] %}{% endfor %}done",
        "{% set ns = namespace(x='xxxxxxxxxx') %}{% for i in range(27) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}done",
        "{% set ns = namespace(x='xxxxxxxxxx') %}{% for i in range(27) %}{% set ns.x = ns.x + ns.x %}{% endfor %}done",
        "{% for i in range(100) %}{{ 'x' * 10000000 }}{% endfor %}",
        "{% for i in range(2000) %}{{ big }}{% endfor %}",
        "{% set all %}{% for i in range(2000) %}{{ big }}{% endfor %}{% endset %}done",
        "{% filter upper %}{% for i in range(2000) %}{{ big }}{% endfor %}{% endfilter %}",
        "{% set x = big|replace('x', big) %}done",
        "{% set x = big|replace('', big) %}done",
        "{% set x = big|indent(900000000, true) %}done",
        "{% set x = big|indent(width=900000000, first=true) %}done",
        "{% set x = range(90000)|join(big) %}done",
        "{% set x = '%900000000d'|format(1) %}done",
        "{% set x = words|batch(900000000, 'x')|list %}done",
        "{% set x = words|slice(900000000)|list %}done",
        "{% set x = ([1] * 90000000)|list %}done",
        "{% set x = (words * 90000)|map('replace', '', big)|list %}done",
        "{% set x = ([{'a': big}] * 90000)|sum(attribute='a', start='') %}done",
        "{% set x = [big] * 9000 %}{% set y = x ~ '' %}done",
        "{% set ns = namespace(x=[]) %}{% for i in range(9000) %}{% set ns.x = ns.x + [big|upper] %}{% endfor %}done",
        "{% set ns = namespace(x=[]) %}{% for i in range(9000) %}{% set ns.x = ns.x + [big[1:]] %}{% endfor %}done",
    ] {
        let Err(refused) = rendered(source) else {
            unreachable!("it was rendered: {source}")
        };
        let detail = refused.detail().unwrap_or_default();
        assert!(detail.contains("[ADJ-6181]"), "{source}: {refused}");
        assert_eq!(refused.line(), Some(1), "{source}");
    }
}

#[test]
fn all_other_templates_give_what_the_engine_gives() {
    for source in [
        "Dear {{ name }},\n{% for row in rows %}- {{ row.a }} {{ row.b|escape }}\n{% else %}none{% endfor %}",
        "{{ n * 2 + 1 }} {{ 1.5 * n }} {{ 'ab' * 3 }} {{ 3 * 'ab' }} {{ [1, 2] * 2 }} {{ [1] + [n] }} {{ (1, 2) + (3,) }}",
        "{{ name ~ n ~ none ~ true ~ [1, 'a'] }} {{ name + '!' }} {{ -n }} {{ n ** 2 }} {{ n // 2 }} {{ n % 4 }}",
        "{{ words|map('upper')|join(', ') }} {{ rows|map(attribute='b')|list }} {{ words|reverse|list }} {{ words|sort }}",
        "{{ rows|selectattr('a', 'equalto', 2)|list }} {{ words|select('in', ['two'])|list }} {{ words|length }}",
        "{{ '%s has %05d'|format(name, n) }} {{ 'a,b'|split(',')|list }} {{ 'a\nb'|indent(2) }} {{ name|replace('A', 'E') }}",
        "{{ words|batch(2, 'x')|list }} {{ words|slice(2)|list }} {{ map|items|list }} {{ map|dictsort }} {{ rows|groupby('a') }}",
        "{{ words[1:] }} {{ name[::-1] }} {{ name[0] }} {{ map['k'] }} {{ map.k }} {{ words|first|title }} {{ n|default(3) }}",
        "{% set x = 1 %}{% set ns = namespace(t=0) %}{% for r in rows %}{% set ns.t = ns.t + r.a %}{% endfor %}{{ ns.t + x }}",
        "{% with a = n + 1 %}{{ a }}{% endwith %}{% if n > 3 and name is string %}yes{% elif n %}no{% endif %}{# silent #}",
        "{% set text %}a{{ n }}b{% endset %}{{ text|upper }}{% filter lower %}ABC{% endfilter %}{{ 'x' if n else 'y' }}",
        "{% for k in range(3) if k != 1 %}{{ loop.index }}{{ k }}{{ ',' if not loop.last }}{% endfor %}{{ 1 < n <= 7 }}",
        "{{ dict(a=1).a }} {{ words|unique|list }} {{ words|chain(['x'])|list }} {{ words|zip([1, 2, 3])|list }}",
        "{{ rows|sum(attribute='a') }} {{ words|sum(start='') }} {{ [1, 2]|sum }} {{ [[1], [2]]|sum(start=[]) }}",
        "{{ missing }}",
        "a\n{{ name|nothing }}",
        "a\n\n{{ name * name }}",
        "{{ words + name }}",
        "{% if %}",
    ] {
        let (ours, theirs) = (rendered(source), plainly(source));
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => assert_eq!(ours, theirs, "{source}"),
            (Err(ours), Err(theirs)) => {
                assert_eq!(
                    (ours.kind(), ours.line()),
                    (theirs.kind(), theirs.line()),
                    "{source}"
                );
            }
            (ours, theirs) => unreachable!("{source}: {ours:?} but {theirs:?}"),
        }
    }
    let splat = rendered("{{ range(*words) }}").err();
    let splat = splat.as_ref().and_then(Error::detail);
    assert!(splat.unwrap_or_default().contains("is not supported"));
}
