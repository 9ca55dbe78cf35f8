use super::*;

fn egress(hosts: AllowedHosts, private: &[&str]) -> Egress {
    Egress {
        hosts,
        private: private.iter().map(|host| (*host).to_owned()).collect(),
        setting: "`hosts` under [tools.http]",
    }
}

fn refused(egress: &Egress, url: &str) -> Option<String> {
    let url = Url::parse(url).unwrap();
    egress.check(&url).err().map(|refused| refused.to_string())
}

#[test]
fn only_addresses_of_the_public_network_are_public() {
    let public = [
        "8.8.8.8",
        "1.1.1.1",
        "172.15.0.1",
        "172.32.0.1",
        "100.63.0.1",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
    ];
    for address in public {
        assert!(is_public(address.parse().unwrap()), "{address}");
    }
    let other = [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "203.0.113.9",
        "::",
        "::1",
        "fc00::1",
        "fd12::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "2001::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "2002:7f00:1::",
        "::127.0.0.1",
        "3fff::1",
    ];
    for address in other {
        assert!(!is_public(address.parse().unwrap()), "{address}");
    }
}

#[test]
fn an_address_is_checked_however_it_is_written() {
    let any = egress(AllowedHosts::Any, &[]);
    let ways = [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:a9fe:a9fe]/latest/meta-data",
        "http://169.254.169.254/latest/meta-data",
    ];
    for url in ways {
        let told = refused(&any, url).unwrap();
        assert!(told.contains("not a public address"), "{url}: {told}");
    }
    assert_eq!(refused(&any, "https://example.org/"), None);
    let mine = egress(AllowedHosts::Any, &["127.0.0.1", "[::1]"]);
    assert_eq!(refused(&mine, "http://127.0.0.1:8080/"), None);
    assert_eq!(refused(&mine, "http://[::1]:8080/"), None);
    assert!(refused(&mine, "http://127.0.0.2/").is_some());
}

#[test]
fn a_host_that_is_not_named_is_refused_and_the_setting_is_told() {
    let only = egress(AllowedHosts::Only(vec!["api.example.org".into()]), &[]);
    assert_eq!(refused(&only, "https://API.example.org/x"), None);
    assert_eq!(
        refused(&only, "https://api.example.org.evil.net/").unwrap(),
        "the host `api.example.org.evil.net` is not allowed: add it to `hosts` under [tools.http] in adjutant.toml [ADJ-6171]"
    );
    assert!(refused(&only, "https://user@evil.net/api.example.org").is_some());
}

#[tokio::test]
async fn a_name_that_leads_into_the_house_is_not_followed() {
    // `localhost` is a name as any other: it is resolved, and its address is what counts.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let url = format!("http://localhost:{port}/");
    let guarded = egress(AllowedHosts::Only(vec!["localhost".into()]), &[]);
    let error = guarded
        .client(adjutant_mission::Lease::default())
        .unwrap()
        .get(&url)
        .send()
        .await
        .unwrap_err();
    let Some(Refused::Private { host, address }) = Refused::behind(&error) else {
        panic!("{error:?}");
    };
    assert_eq!(host, "localhost");
    assert!(address.is_loopback());
    let told = Refused::Private { host, address }.failure("GET x");
    assert_eq!(told.kind(), Some(adjutant_mission::FailureKind::Denied));
}
