//! Models against a server that answers by a script, over real sockets.

mod asking;
mod cassettes;
mod limits;
mod misbehaving;
mod real_server;
mod streams;
mod support;
mod tools;
