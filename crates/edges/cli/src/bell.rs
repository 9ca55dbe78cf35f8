//! The terminal's bell, for whoever has a channel of the kind `terminal`.

use adjutant_mission::{Event, MissionId, Recorded, Timestamp};
use adjutant_notify::{About, Carrier, Channel};

use crate::output;
use adjutant_app::settings::{ChannelSettings, Settings};

#[derive(Debug)]
pub(crate) struct Bell {
    channels: Vec<Channel>,
}

impl Bell {
    pub(crate) fn of(settings: &Settings) -> Self {
        let channels = settings.channels.iter().map(ChannelSettings::channel);
        let rings = |channel: &Channel| {
            matches!(channel.carrier, Carrier::Terminal) && channel.tenant == settings.tenant
        };
        Self {
            channels: channels.filter(rings).collect(),
        }
    }

    /// Rings if somebody here wants to hear of it, now.
    pub(crate) fn event(&self, mission: MissionId, recorded: &Recorded, now: Timestamp) {
        let about = match &recorded.event {
            Event::CheckpointOpened(checkpoint) => {
                About::checkpoint(mission, checkpoint, recorded.at)
            }
            Event::MissionEnded(_) => About::ending(mission, recorded.at),
            _ => return,
        };
        let wanted =
            |channel: &Channel| channel.takes(&about) && channel.not_before(now, &about) <= now;
        if self.channels.iter().any(wanted) {
            output::ring();
        }
    }
}
