#![expect(clippy::unwrap_used, reason = "a test that fails should stop")]

use proptest::prelude::*;

use super::*;

const URL: &str = "https://wire.example/feeds/all.xml";

fn stories(text: &str) -> Vec<Story> {
    read(text.as_bytes(), "application/xml", URL)
        .unwrap()
        .stories
}

#[test]
fn rss_2_with_its_warts() {
    let text = r#"<?xml version="1.0"?><rss version="2.0" xmlns:media="m" xmlns:content="c" xmlns:dc="d"><channel>
      <title>The Wire &amp; More</title><language>en-gb</language>
      <item><media:title>not this</media:title><title><![CDATA[Tablets <b>fall</b> &amp; rise]]></title>
        <link>/a?utm_source=feed</link><description>&lt;p&gt;Short.&lt;/p&gt;&lt;script&gt;x()&lt;/script&gt;</description>
        <content:encoded><![CDATA[<p>The longer&nbsp;text.</p><p>Two.</p>]]></content:encoded>
        <pubDate>Thu, 18 Jun 2026 09:15:00 +0200</pubDate><author>desk@wire.example (Corin Aldwych)</author></item>
      <item><title>No date & no guid</title><link>https://wire.example/b</link><pubDate>soon</pubDate></item>
      <item><title>Only a guid</title><guid>https://wire.example/c</guid></item>
      <item><title>No link at all</title><guid isPermaLink="false">tag:1</guid></item>
    </channel></rss>"#;
    let feed = read(text.as_bytes(), "application/rss+xml", URL).unwrap();
    assert_eq!(feed.without_link, 1);
    let first = &feed.stories[0];
    assert_eq!(first.title, "Tablets fall & rise");
    assert_eq!(first.text, "The longer text. Two.");
    assert_eq!(first.url, "https://wire.example/a?utm_source=feed");
    assert_eq!(first.published.as_deref(), Some("2026-06-18"));
    assert_eq!(first.author.as_deref(), Some("Corin Aldwych"));
    assert_eq!(first.outlet, "The Wire & More");
    assert_eq!(first.language.as_deref(), Some("en-gb"));
    assert_eq!(feed.stories[1].title, "No date & no guid");
    assert_eq!(feed.stories[1].published, None);
    assert_eq!(feed.stories[2].url, "https://wire.example/c");
}

#[test]
fn rss_1_has_its_items_beside_the_channel() {
    let text = r#"<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel rdf:about="x"><title>Old Wire</title></channel>
      <item rdf:about="https://wire.example/1"><title>One</title><link>https://wire.example/1</link><dc:date>2026-05-01T10:00:00Z</dc:date><dc:creator>Ann</dc:creator></item></rdf:RDF>"#;
    let found = stories(text);
    assert_eq!(found[0].outlet, "Old Wire");
    assert_eq!(found[0].published.as_deref(), Some("2026-05-01"));
    assert_eq!(found[0].author.as_deref(), Some("Ann"));
}

#[test]
fn atom_with_bases_and_xhtml() {
    let text = r#"<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://other.example/x/" xml:lang="de"><title type="html">A &amp;amp; B</title>
      <entry xml:base="y/"><title>Eins</title><link rel="self" href="no"/><link rel="alternate" href="../z.html"/>
      <content type="xhtml"><div xmlns="h"><p>Ein <b>Satz</b>.</p></div></content><updated>2026-06-01T00:00:00Z</updated><author><name>Ann</name></author></entry></feed>"#;
    let found = stories(text);
    assert_eq!(found[0].url, "https://other.example/x/z.html");
    assert_eq!(found[0].text, "Ein Satz.");
    assert_eq!(found[0].outlet, "A & B");
    assert_eq!(found[0].language.as_deref(), Some("de"));
}

#[test]
fn json_feed() {
    let text = r#"{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[
      {"id":"1","url":"/one","title":"One","content_html":"<p>Text</p>","date_published":"2026-06-01T10:00:00+02:00","authors":[{"name":"Ann"}]},
      {"id":"https://wire.example/two","content_text":"Only text"},{"id":"3"}]}"#;
    let feed = read(text.as_bytes(), "application/feed+json", URL).unwrap();
    assert_eq!(feed.stories[0].url, "https://wire.example/one");
    assert_eq!(feed.stories[1].title, "Only text");
    assert_eq!(feed.without_link, 1);
}

#[test]
fn other_encodings() {
    let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><rss><channel><title>T</title><item><title>Caf\xe9</title><link>https://e.example/1</link></item></channel></rss>";
    let feed = read(latin, "text/xml", URL).unwrap();
    assert_eq!(feed.stories[0].title, "Café");
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain("<rss><channel><item><title>ü</title><link>https://e.example/1</link></item></channel></rss>".encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert_eq!(read(&wide, "", URL).unwrap().stories[0].title, "ü");
}

#[test]
fn a_feed_cut_off_gives_what_there_is() {
    let feed = read(b"<rss><channel><title>T</title><item><title>A</title><link>https://e.example/1</link></item><item><ti", "", URL).unwrap();
    assert_eq!(feed.stories.len(), 1);
    assert!(feed.broken.is_some());
}

#[test]
fn what_is_no_feed_is_refused() {
    for text in [
        "",
        "hello",
        "<html><body>x</body></html>",
        "{}",
        "[1]",
        "<!DOCTYPE x [<!ENTITY a 'b'>]><rss/>",
    ] {
        assert!(read(text.as_bytes(), "", URL).is_err(), "{text}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_a_feed_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        drop(read(&bytes, "", URL));
    }

    #[test]
    fn any_pieces_are_a_feed_or_refused(parts in prop::collection::vec(prop::sample::select(vec![
        "<rss>", "<channel>", "<item>", "</item>", "<title>", "</title>", "<link>", "</link>", "<link href='../x'/>", "https://e.example/1",
        "<![CDATA[", "]]>", "<feed xml:base='//'>", "<entry>", "<description>&lt;p", "<pubDate>1 Jan 2020</pubDate>", "&#xD800;", "{", "}",
    ]), 0..30)) {
        drop(read(parts.concat().as_bytes(), "", URL));
    }
}
