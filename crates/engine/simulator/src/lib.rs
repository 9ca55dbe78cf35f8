//! A seeded world for missions: it crashes the host, repeats, delays and reorders what it reports, lets
//! people misbehave, and checks the laws of the engine after every event. One seed is one run, always the
//! same. It knows the mission machine and nothing else; stores and real hosts have tests of their own.

mod accounts;
mod campaign;
mod coverage;
mod coverage_map;
mod laws;
mod people;
mod random;
mod reference_model;
mod run;
mod scene;
mod world;

pub use campaign::{Report, Violation, explore, replay, try_every_boundary, try_seed};
pub use coverage::{Coverage, CoverageItem};
pub use laws::Law;
pub use run::Crashes;
