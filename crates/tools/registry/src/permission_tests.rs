use adjutant_mission::EffectClass;
use serde_json::json;

use super::*;

fn manifest(id: &str) -> Manifest {
    Manifest::new(ToolId::new(id).unwrap(), EffectClass::Pure, json!({}))
}

fn tenant(name: &str) -> TenantId {
    TenantId::new(name).unwrap()
}

fn role(name: &str) -> Role {
    Role::new(name).unwrap()
}

fn names_of(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_tool_must_be_allowed_for_all_and_for_the_tenant() {
    let permissions = Permissions {
        general: Rules {
            allow: Some(names_of(&["L5-*", "http"])),
            deny: names_of(&["L5-WEB"]),
            ..Rules::default()
        },
        tenants: [(
            tenant("acme"),
            Rules {
                allow: Some(names_of(&["L5-CALC"])),
                ..Rules::default()
            },
        )]
        .into(),
    };
    let refused = |who: &str, tool: &str| permissions.refusal(&tenant(who), &manifest(tool));
    assert_eq!(refused("other", "L5-STAT"), None);
    assert_eq!(refused("other", "http"), None);
    assert_eq!(
        refused("other", "http_post").unwrap(),
        "tenant `other` may not call `http_post`: `tools.allow` does not name it"
    );
    assert_eq!(
        refused("other", "L5-WEB").unwrap(),
        "tenant `other` may not call `L5-WEB`: `tools.deny` names `L5-WEB`"
    );
    assert_eq!(refused("acme", "L5-CALC"), None);
    assert_eq!(
        refused("acme", "L5-STAT").unwrap(),
        "tenant `acme` may not call `L5-STAT`: `tools.tenants.acme.allow` does not name it"
    );
    assert!(refused("acme", "L5-WEB").is_some());
}

#[test]
fn a_level_that_was_not_earned_refuses() {
    let mut permissions = Permissions::default();
    permissions.general.autonomy_level = Some(AutonomyLevel::THREE);
    permissions.general.autonomy_levels = [(
        "run_command".to_owned(),
        vec![AutonomyLevel::FOUR, AutonomyLevel::FIVE],
    )]
    .into();
    let refused = |tool: &str| permissions.refusal(&tenant("acme"), &manifest(tool));
    assert_eq!(refused("http"), None);
    assert_eq!(
        refused("run_command").unwrap(),
        "`run_command` needs autonomy level 4 or 5, and `tools.autonomy_level` is 3"
    );
    let mut careful = manifest("L5-WEB");
    careful.autonomy_levels = vec![AutonomyLevel::FIVE];
    assert!(permissions.refusal(&tenant("acme"), &careful).is_some());
}

#[test]
fn a_role_must_be_held_by_whoever_plans() {
    let mut permissions = Permissions::default();
    let needed = vec![role("operator"), role("admin")];
    permissions.general.roles = [("http*".to_owned(), needed)].into();
    let refused = |held: Option<&str>, tool: &str| {
        let held = held.map(role);
        permissions.role_refusal(&tenant("acme"), held.as_ref(), &manifest(tool))
    };
    assert_eq!(refused(None, "calc"), None);
    assert_eq!(refused(Some("admin"), "http_post"), None);
    assert_eq!(
        refused(Some("viewer"), "http_post").unwrap(),
        "planning calls of `http_post` requires the role `operator` or `admin`; yours is `viewer`"
    );
    assert!(refused(None, "http").unwrap().ends_with("yours is none"));
    let mut own = manifest("calc");
    own.roles = vec![role("analyst")];
    let held = role("admin");
    assert!(
        permissions
            .role_refusal(&tenant("acme"), Some(&held), &own)
            .is_some()
    );
}

#[test]
fn the_closest_limit_holds() {
    let minute = |most| Limit {
        per_minute: Some(most),
        ..Limit::default()
    };
    let mut permissions = Permissions::default();
    permissions.general.limits = [
        ("L5-*".to_owned(), minute(60)),
        ("L5-PS".to_owned(), minute(180)),
    ]
    .into();
    let own = Rules {
        limits: [(
            "L5-PS".to_owned(),
            Limit {
                per_day: Some(9),
                ..minute(200)
            },
        )]
        .into(),
        ..Rules::default()
    };
    permissions.tenants.insert(tenant("acme"), own);
    let limit =
        |who: &str, tool: &str| permissions.limit(&tenant(who), &ToolId::new(tool).unwrap());
    assert_eq!(limit("other", "calc"), None);
    assert_eq!(limit("other", "L5-CT"), Some(minute(60)));
    assert_eq!(limit("other", "L5-PS"), Some(minute(180)));
    assert_eq!(
        limit("acme", "L5-PS"),
        Some(Limit {
            per_day: Some(9),
            ..minute(180)
        })
    );
}

#[test]
fn a_name_that_no_tool_has_is_told() {
    let mut permissions = Permissions::default();
    permissions.general.deny = names_of(&["L5-*", "htpt"]);
    let tools = [manifest("http").id, manifest("L5-PS").id];
    assert_eq!(
        permissions.unknown(&[&tools[0], &tools[1]]),
        ["`tools` names `htpt`"]
    );
}
