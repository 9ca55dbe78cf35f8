use proptest::prelude::*;

use super::*;

const NODES_MAX: usize = 100_000;

/// What readers of a page see of it, on one line.
fn shown(html: &str) -> String {
    let dom = parse(html, NODES_MAX);
    let texts = dom.nodes().iter().filter(|node| {
        node.visibility == Visibility::Shown
            && !matches!(dom.node(node.parent).name(), "style" | "script" | "title")
    });
    let text: String = texts.map(Node::text).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The elements with their depth, in order.
fn outline(html: &str) -> String {
    let dom = parse(html, NODES_MAX);
    let depth = |mut at: usize| {
        let mut depth = 0;
        while at != ROOT {
            depth += 1;
            at = dom.node(at).parent;
        }
        depth
    };
    let nodes = dom.nodes().iter().enumerate().skip(1);
    let nodes = nodes.filter(|(_, node)| !matches!(node.name(), "html" | "head" | "body"));
    let lines = nodes.map(|(at, node)| match node.is_element() {
        true => format!("{}{}", depth(at) - 3, node.name()),
        false => format!("'{}'", node.text()),
    });
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_tree_is_the_one_that_browsers_build() {
    for (html, tree) in [
        ("<p>one<p>two", "0p 'one' 0p 'two'"),
        ("<ul><li>a<li>b</ul>c", "0ul 1li 'a' 1li 'b' 'c'"),
        ("<b>x<p>y</b>z", "0b 'x' 0p 1b 'y' 'z'"),
        (
            "<table><tr><td>a<td>b</table>",
            "0table 1tbody 2tr 3td 'a' 3td 'b'",
        ),
        ("<table>out<tr><td>in", "'out' 0table 1tbody 2tr 3td 'in'"),
        ("a<!-- <p>no -- > --!>b&lt<i>c</i>", "'ab<' 0i 'c'"),
        ("<!-->a<!--->b<!-- -->c", "'abc'"),
        ("<svg><![CDATA[<p>]]></svg>a<![CDATA[b>c", "0svg '<p>' 'ac'"),
        ("<p a='>' b=\">\" c=>d</p/x>e", "0p 'd' 'e'"),
        ("<a/b/c>d<3 < e</>f", "0a 'd<3 < ef'"),
        ("<xmp><p></xmp><p>", "0xmp '<p>' 0p"),
        (
            "<textarea><b></p ></textarea >x",
            "0textarea '<b></p >' 'x'",
        ),
        ("<template><p>x</template>y", "0template 1p 'x' 'y'"),
    ] {
        let body = format!("<!doctype html><body>{html}");
        assert_eq!(outline(&body), tree, "{html}");
    }
}

#[test]
fn children_and_texts_are_found() {
    let dom = parse("<p id=a> one <b>two</b> three</p><p>four", NODES_MAX);
    let (at, node) = dom.named("p").next().unwrap_or((ROOT, dom.node(ROOT)));
    assert_eq!(node.attribute("id"), Some("a"));
    assert_eq!(dom.children(at).count(), 3);
    assert_eq!(dom.raw_text(at), " one two three");
    assert_eq!(dom.raw_text(ROOT), " one two threefour");
}

#[test]
fn styles_of_an_element_hide_it() {
    for style in [
        "display:none",
        "DISPLAY : NONE !important",
        "display:none;display:nonsense",
        "visibility:collapse",
        "opacity:0",
        "opacity:0%",
        "opacity:.01",
        "font-size:0",
        "font-size:1px",
        "font-size:0.05em",
        "font:0/0 a",
        "position:absolute;left:-9999px",
        "left:-100em",
        "left:calc(-9999px)",
        "text-indent:-200%",
        "margin-left:-10000px",
        "transform:translateX(-9999px)",
        "transform:rotate(1deg) scale(0)",
        "clip:rect(0,0,0,0)",
        "clip:rect(0 0 0 0) !important",
        "clip-path:inset(100%)",
        "clip-path:circle(0)",
        "height:0",
        "color:transparent",
        "color:#fff",
        "color:rgba(1,2,3,0)",
        "color:hsl(0,0%,100%)",
        "color:#123456;background:rgb(18, 52, 87)",
        "background:#000 none;color:black",
        "content-visibility:hidden",
        "/* a */ display/**/:/**/none",
        "displ\\61y:none",
    ] {
        let html = format!("seen <i style='{style}'>Ignore <b>rules</b></i>");
        assert_eq!(shown(&html), "seen", "{style}");
    }
    for style in [
        "display:none;display:block",
        "opacity:0.5",
        "font-size:0.9em",
        "font:700 14px/1 Arial",
        "left:-10px",
        "margin-left:-100%",
        "color:white;background:#036",
        "color:#fff;background:url(a.png)",
        "color:#fff;background-image:linear-gradient(red,blue)",
        "color:transparent;-webkit-background-clip:text",
        "clip:auto",
        "width:50%",
        "not-display:none",
    ] {
        assert_eq!(shown(&format!("<i style='{style}'>x</i>")), "x", "{style}");
    }
}

#[test]
fn rules_hide_what_they_select() {
    let body = "<div id=One class='a b'><p class=c data-d='e f-g'>x</p><p>y</p></div>";
    for (rule, left) in [
        (".a{display:none}", ""),
        ("#One>.c{display:none}", "y"),
        ("div p + p{display:none}", "x"),
        ("p ~ p{display:none}", "x"),
        ("[data-d]{display:none}", "y"),
        ("[data-d~=e]{display:none}", "y"),
        ("[data-d='e f-g']{display:none}", "y"),
        ("p[data-d$='-g'],q{display:none}", "y"),
        ("*{font-size:0}", ""),
        ("p:not(.c){display:none}", "x"),
        ("body :is(q,.c):first-child{display:none}", "y"),
        ("p:last-child{display:none}", "x"),
        (".a.b .c{display:none}", "y"),
        ("div{p{display:none}}", ""),
        ("div{&.a{> .c{display:none}}}", "y"),
        ("@media screen{.c{display:none}}", "y"),
        (
            "@media (min-width:10px) and (max-width:9000px){.c{display:none}}",
            "y",
        ),
        ("@supports (display:grid){.c{display:none}}", "y"),
        ("@layer x{.c{display:none}}", "y"),
        ("@import url(x); <!-- .c{display:none} -->", "y"),
        ("::zorp, .c{display:none}", "y"),
        ("{}.c{display:none", "y"),
        ("p{visibility:hidden}.c{visibility:visible}", "x"),
        ("div{font-size:0}.c{font-size:12px}", "x"),
        ("div{color:red}p{background:red}.c{color:#00f}", "x"),
        (".c{height:0;overflow:hidden}", "y"),
        // What does not hold, or is outweighed, hides nothing.
        (".A,.a > p > p,.c .c,span,#one{display:none}", "xy"),
        ("@media print{p{display:none}}", "xy"),
        ("@media (max-width:600px){p{display:none}}", "xy"),
        ("@keyframes k{from{opacity:0}}", "xy"),
        ("p:hover,p::before,p:zorp{display:none}", "xy"),
        ("#One .c,#One p{display:block}p{display:none}", "xy"),
        ("p{display:block!important}#One p{display:none}", "xy"),
        ("p{display:none}p{display:block}", "xy"),
        (".c{width:0}", "xy"),
        ("p{color:#fff}", "xy"),
    ] {
        let html = format!("<!doctype html><style>{rule}</style>{body}");
        assert_eq!(shown(&html), left, "{rule}");
    }
}

#[test]
fn without_a_doctype_case_counts_for_nothing() {
    assert_eq!(
        shown("<style>.X{display:none}</style><p class=x>a</p>b"),
        "b"
    );
}

#[test]
fn a_style_of_an_element_outweighs_rules_unless_they_are_important() {
    let page = |weight: &str| {
        shown(&format!(
            "<style>p{{display:none{weight}}}</style><p style='display:block'>a"
        ))
    };
    assert_eq!(page(""), "a");
    assert_eq!(page("!important"), "");
}

#[test]
fn only_sheets_for_screens_count() {
    for (attributes, left) in [
        ("media=print", "a"),
        ("type=text/zorp", "a"),
        ("media='screen, print'", ""),
        ("type=text/css", ""),
    ] {
        let html = format!("<style {attributes}>p{{display:none}}</style><p>a");
        assert_eq!(shown(&html), left, "{attributes}");
    }
    assert_eq!(
        shown("<template><style>p{display:none}</style></template><p>a"),
        "a"
    );
}

#[test]
fn markup_that_hides() {
    for html in [
        "<p hidden>x",
        "<p aria-hidden=TRUE>x",
        "<p class='a d-none'>x",
        "<template>x</template>",
        "<noscript>x</noscript>",
        "<font color=FFFFFF>x",
        "<body bgcolor=navy><font color=navy>x",
        "<table bgcolor='#101010'><td><font color='#111111'>x",
    ] {
        assert_eq!(shown(html), "", "{html}");
    }
    assert_eq!(shown("<body bgcolor=navy><font color=white>x"), "x");
}

#[test]
fn what_is_too_deep_is_left_out_and_cannot_come_out_of_what_hides_it() {
    let (open, close) = ("<div>".repeat(600), "</div>".repeat(600));
    let dom = parse(&format!("{open}deep{close}after"), NODES_MAX);
    assert!(dom.is_cut());
    assert_eq!(dom.raw_text(ROOT), "after");
    // Ends that close nothing, or that are the text of a script, do not count as ends.
    let stray = "</i>".repeat(600);
    let script = format!("<script>{close}</script>");
    let page = format!("<div hidden>{open}{stray}{script}{stray}secret{close}</div>after");
    assert_eq!(shown(&page), "after");
}

#[test]
fn a_tag_with_too_many_attributes_is_hidden_and_nothing_else_is() {
    let attributes: String = (0..200_000)
        .map(|number| format!(" a{number}='>'"))
        .collect();
    let html = format!("a<p{attributes} hidden>b</p>c");
    let dom = parse(&html, NODES_MAX);
    assert!(dom.is_cut());
    assert_eq!(shown(&html), "ac");
    let script = format!("<script>if (a <b{attributes}) x</script>c");
    assert_eq!(shown(&script), "c");
    let comment = format!("<!-- <b{} -->c", " word".repeat(5_000));
    assert_eq!(shown(&comment), "c");
}

#[test]
fn limits_end_what_would_not_end() {
    let dom = parse(&"<p>x".repeat(NODES_MAX), 1_000);
    assert!(dom.is_cut() && dom.nodes().len() <= 1_001);
    let many: String = (0..30_000)
        .map(|n| format!(".c{n}{{display:none}}"))
        .collect();
    assert!(parse(&format!("<style>{many}</style>"), NODES_MAX).are_styles_cut());
    assert!(!parse("<style>p{display:none}</style>", NODES_MAX).are_styles_cut());
}

#[test]
fn pages_made_to_tire_the_reader_are_read() {
    let unlike: String = (0..20_000).map(|n| format!("<b x={n}><p>")).collect();
    let nested = ":not(".repeat(50_000);
    let braces = "a{".repeat(50_000);
    let wide = "<p class='a'>".repeat(20_000);
    let classes = " c".repeat(500_000);
    for html in [
        unlike,
        format!("<style>{nested}</style>"),
        format!("<style>{braces}</style>"),
        format!("<p style='{}'>", "(".repeat(100_000)),
        format!("<style>p ~ p ~ p ~ p ~ q {{display:none}}</style>{wide}<q>"),
        format!(
            "<style>.c.d{{display:none}}</style>{}",
            format!("<p class='{classes}'>").repeat(3)
        ),
        "<![CDATA[".repeat(50_000),
        "<!--".repeat(50_000),
        "<!-- -->".repeat(50_000),
        "</".repeat(100_000),
        "&".repeat(100_000),
        "<a href=x>y".repeat(50_000),
        "<table><tr><td>".repeat(20_000),
        "<svg><x/>".repeat(20_000),
        "<i>".repeat(400) + &"</x>".repeat(100_000),
    ] {
        drop(parse(&html, NODES_MAX));
    }
}

proptest! {
    #[test]
    fn any_text_is_a_page(text in "\\PC{0,200}") {
        drop(parse(&text, NODES_MAX));
    }

    #[test]
    fn any_pieces_are_a_page_and_fed_whole(parts in prop::collection::vec(prop::sample::select(vec![
        "<div>", "</div>", "<p>", "</p>", "<table>", "<tr>", "<td>", "</table>", "<b>", "</b>", "<a href='x>'>", "</a>", "<svg>", "</svg>", "<math>",
        "<annotation-xml encoding=text/html>", "<![CDATA[", "]]>", "<!--", "-->", "--!>", "<!", "<?", "</", "<", ">", "'", "\"", "=", "/", " ", "x", "&lt", "&",
        "<script>", "</script>", "<style>", "p{display:none}", "</style>", "<title>", "</title>", "<template>", "</template>", "<select>", "<option>", "<plaintext>", "\r\n", "ü",
    ]), 0..40)) {
        let html = parts.concat();
        let dom = parse(&html, NODES_MAX);
        prop_assert_eq!(dom.raw_text(ROOT), whole(&html));
    }
}

/// The text as html5ever finds it in a page that it is given in one piece.
fn whole(html: &str) -> String {
    use html5ever::tendril::TendrilSink;
    let sink = tree_sink::Sink::new(NODES_MAX);
    let dom = html5ever::parse_document(sink, html5ever::ParseOpts::default()).one(html);
    dom.raw_text(ROOT)
}
