//! Tools a mission can call: manifests and the built-in tools.
