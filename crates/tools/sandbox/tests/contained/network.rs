//! Nobody is reached.

use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use crate::support::{achieves_nothing, attempts};

#[tokio::test]
async fn no_address_answers() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    let udp = UdpSocket::bind("127.0.0.1:0").unwrap();
    let tcp_port = tcp.local_addr().unwrap().port();
    let udp_port = udp.local_addr().unwrap().port();
    let before =
        format!("import socket\nsocket.setdefaulttimeout(2)\nTCP, UDP = {tcp_port}, {udp_port}");
    achieves_nothing(attempts(
        &before,
        &[
            "socket.create_connection(('127.0.0.1', TCP))",
            "socket.create_connection(('1.1.1.1', 53))",
            "socket.socket(socket.AF_INET6).connect(('2606:4700:4700::1111', 53))",
            "socket.getaddrinfo('example.com', 80)",
            "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('1.1.1.1', 53))",
            "socket.socket(type=socket.SOCK_DGRAM).connect(('169.254.169.254', 80))",
            "socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)",
            "socket.socket(socket.AF_PACKET, socket.SOCK_RAW)",
            "socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)",
            "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
            "socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET)",
        ],
    ))
    .await;
    // A datagram to an own loopback is sent, and comes nowhere.
    let send = "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', UDP))";
    achieves_nothing(attempts(&format!("{before}\n{send}"), &[])).await;
    udp.set_nonblocking(true).unwrap();
    assert!(udp.recv(&mut [0; 8]).is_err());
    tcp.set_nonblocking(true).unwrap();
    assert!(tcp.accept().is_err());
}

#[tokio::test]
async fn no_socket_of_the_machine_is_there() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("socket");
    let _named = UnixListener::bind(&path).unwrap();
    let name = format!("adjutant-sandbox-{}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).unwrap();
    let hidden = UnixListener::bind_addr(&address).unwrap();
    let before = format!(
        "import socket\nPATH = {:?}\nNAME = '\\0{name}'\n\
         def connect(to): socket.socket(socket.AF_UNIX).connect(to)",
        path.display().to_string()
    );
    achieves_nothing(attempts(
        &before,
        &[
            "connect(PATH)",
            "connect(NAME)",
            "connect('/var/run/docker.sock')",
            "connect('/run/docker.sock')",
            "connect('/run/systemd/private')",
            "connect('/run/dbus/system_bus_socket')",
            "os.stat('/run')",
            "os.stat('/var')",
        ],
    ))
    .await;
    hidden.set_nonblocking(true).unwrap();
    assert!(hidden.accept().is_err());
}
