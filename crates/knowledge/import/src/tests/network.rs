//! What a thread can no longer do once it has given up the network. The filter is on that thread alone.

use std::io;
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::process::Command;

use crate::network;

fn refused<T>(what: &str, tried: io::Result<T>) {
    match tried {
        Ok(_) => panic!("{what} works"),
        Err(error) => assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{what}"),
    }
}

#[test]
fn there_is_no_socket_and_no_process_that_has_one() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let tried = std::thread::spawn(move || {
        let open = TcpStream::connect(address).unwrap();
        network::give_up().unwrap();
        refused("connecting", TcpStream::connect(address));
        refused("listening", TcpListener::bind("127.0.0.1:0"));
        refused("a datagram socket", UdpSocket::bind("127.0.0.1:0"));
        refused("a local socket", UnixDatagram::unbound());
        refused("a pair of sockets", UnixStream::pair());
        refused("a socket that was open", open.peek(&mut [0]));
        refused("another program", Command::new("/bin/true").spawn());
        // Memory, threads and streams are as before.
        std::thread::spawn(|| vec![0_u8; 1 << 20])
            .join()
            .unwrap()
            .len()
    });
    assert_eq!(tried.join().unwrap(), 1 << 20);
    TcpStream::connect(address).unwrap();
}
