//! The embedded host: loads missions, records what they decide, performs what they owe, and wakes them.
