//! Performs one effect: resolves its inputs, checks, calls, validates, and returns one outcome.
