//! What can be read of missions, and its addresses: `adjutant://missions/ID/passport`, and `?from=N` for a later part.

use adjutant_app::workflow::{MissionResource, RESOURCES, ResourcePart};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};
use serde_json::Value;

const SCHEME: &str = "adjutant://missions/";

/// A part of a resource of a mission.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Address<'a> {
    pub(crate) workflow: &'a str,
    pub(crate) name: &'a str,
    pub(crate) from: u64,
}

impl<'a> Address<'a> {
    pub(crate) fn parse(uri: &'a str) -> Option<Self> {
        let (workflow, rest) = uri.strip_prefix(SCHEME)?.split_once('/')?;
        let (name, from) = match rest.split_once("?from=") {
            Some((name, from)) => (name, from.parse().ok()?),
            None => (rest, 0),
        };
        Some(Self {
            workflow,
            name,
            from,
        })
    }

    /// A part as the contents of this address; if more follows, with where that is.
    pub(crate) fn contents(&self, uri: String, part: ResourcePart) -> Vec<ResourceContents> {
        let known = RESOURCES.iter().find(|known| known.name == self.name);
        let media_type = known.map_or("text/plain", |known| known.media_type);
        let mut contents = vec![ResourceContents::text(part.text, uri).with_mime_type(media_type)];
        if let (Some(next), Some(known)) = (part.next, known) {
            let uri = format!("{SCHEME}{}/{}?from={next}", self.workflow, self.name);
            let whole = known.whole.replace("{mission}", self.workflow);
            let told = format!("This is a part. The next one is {uri}. For all of it: {whole}.");
            contents.push(ResourceContents::text(told, uri));
        }
        contents
    }
}

pub(crate) fn templates() -> Vec<ResourceTemplate> {
    let templates = RESOURCES.iter().map(|known| {
        let uri = format!("{SCHEME}{{workflow_id}}/{}{{?from}}", known.name);
        ResourceTemplate::new(uri, known.name)
            .with_description(known.about)
            .with_mime_type(known.media_type)
    });
    templates.collect()
}

/// What there is to read of these missions, as `list_missions` tells them.
pub(crate) fn of_missions(told: &Value) -> Vec<Resource> {
    let missions = told["missions"].as_array().map_or(&[][..], Vec::as_slice);
    let each = missions.iter().flat_map(|mission| {
        let id = mission["workflow_id"].as_str().unwrap_or_default();
        let title = mission["title"].as_str().unwrap_or_default();
        RESOURCES
            .iter()
            .map(move |known| resource(id, title, known))
    });
    each.collect()
}

fn resource(id: &str, title: &str, known: &MissionResource) -> Resource {
    Resource::new(format!("{SCHEME}{id}/{}", known.name), known.name)
        .with_title(format!("{title}: {}", known.name))
        .with_description(known.about)
        .with_mime_type(known.media_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_mission_a_resource_and_a_part() {
        let address = |workflow, name, from| Address {
            workflow,
            name,
            from,
        };
        for (uri, expected) in [
            (
                "adjutant://missions/msn_1/passport",
                Some(address("msn_1", "passport", 0)),
            ),
            (
                "adjutant://missions/msn_1/journal?from=51",
                Some(address("msn_1", "journal", 51)),
            ),
            ("adjutant://missions/msn_1/journal?from=-1", None),
            ("adjutant://missions/msn_1", None),
            ("file:///etc/passwd", None),
        ] {
            assert_eq!(Address::parse(uri), expected, "{uri}");
        }
    }
}
