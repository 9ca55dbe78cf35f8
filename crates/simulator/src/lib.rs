//! A seeded world that crashes, repeats, delays and reorders, and checks the laws after every event.
