//! How the pages look: on a phone and on a screen, by day and by night.

pub(super) const STYLE: &str = "\
:root{color-scheme:light dark;--ink:#1c2430;--soft:#5c6675;--line:#d8dee6;--paper:#fff;--ground:#f2f5f8;--tint:#f5f7fa;--blue:#005a9c;--on-blue:#fff;--green:#1a6b3c;--red:#9c2a1f;--mark:#fff6d8;--on-mark:#5f4700}\
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa5b4;--line:#323d4b;--paper:#18202a;--ground:#10161d;--tint:#1f2935;--blue:#6db3f2;--on-blue:#0b1a29;--green:#6fce98;--red:#f08b7d;--mark:#3a3113;--on-mark:#f1d98a}}\
*{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:17px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}\
main{max-width:44rem;margin:2.5rem auto;padding:2rem 2.25rem 2.5rem;background:var(--paper);border:1px solid var(--line);border-radius:10px}\
.brand{margin:0 0 1rem;color:var(--soft);font-size:.8rem;font-weight:600;letter-spacing:.08em;text-transform:uppercase}\
h1{margin:0 0 .5rem;font-size:1.45rem;line-height:1.3;white-space:pre-wrap}h2{margin:1.75rem 0 .5rem;font-size:1rem}\
p{margin:.5rem 0;white-space:pre-wrap}.soft{color:var(--soft);font-size:.95rem}.strong{font-weight:600}.asked{margin-bottom:1.25rem}\
.code{margin-top:1.5rem;color:var(--soft);font:.85rem ui-monospace,monospace}\
blockquote{margin:.75rem 0;padding:.1rem 0 .1rem 1rem;border-left:3px solid var(--line);white-space:pre-wrap}\
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.25rem;margin:.5rem 0}dt{color:var(--soft)}dd{margin:0}\
pre{margin:.5rem 0 0;padding:.75rem 1rem;max-height:24rem;overflow:auto;background:var(--tint);border:1px solid var(--line);border-radius:6px;font:.85rem/1.5 ui-monospace,monospace;white-space:pre-wrap}\
fieldset{margin:1.75rem 0 0;padding:0;border:0}legend{padding:0;font-weight:600}ul{margin:.35rem 0;padding-left:1.3rem}\
.option{display:grid;grid-template-columns:1.5rem 1fr;margin:.6rem 0 0;padding:.85rem 1rem;border:1px solid var(--line);border-radius:8px;cursor:pointer}\
.option:has(:checked){border-color:var(--blue);box-shadow:inset 0 0 0 1px var(--blue)}.option input{width:1.1rem;height:1.1rem;margin:.25rem 0 0;accent-color:var(--blue)}\
.option strong{margin-right:.6rem}.option p{margin:.25rem 0}.facts{color:var(--soft);font-size:.9rem}\
.best{display:inline-block;padding:0 .5rem;border-radius:99px;background:var(--mark);color:var(--on-mark);font-size:.8rem;font-weight:600}\
.pro::marker{content:'+  ';color:var(--green);font-weight:700}.con::marker{content:'−  ';color:var(--red);font-weight:700}\
label.note{display:block;margin-top:1.75rem;font-weight:600}\
textarea{display:block;width:100%;min-height:6rem;margin-top:.4rem;padding:.65rem .8rem;background:var(--paper);color:inherit;border:1px solid var(--line);border-radius:8px;font:inherit;resize:vertical}\
.answers{display:grid;gap:.75rem;margin-top:1.5rem}.answer{display:grid;grid-template-columns:9.5rem 1fr;gap:.3rem 1.1rem;align-items:center}\
button{min-height:2.9rem;padding:.5rem 1rem;border:1px solid var(--line);border-radius:8px;background:var(--tint);color:var(--ink);font:600 1rem system-ui,sans-serif;cursor:pointer}\
button.approve{background:var(--blue);border-color:var(--blue);color:var(--on-blue)}button.reject{color:var(--red)}button:hover{filter:brightness(1.08)}\
:focus-visible{outline:3px solid var(--blue);outline-offset:2px}\
.end{margin-top:1.75rem;padding-top:1rem;border-top:1px solid var(--line)}\
@media(max-width:40rem){main{margin:0;padding:1.25rem 1.1rem 2rem;border:0;border-radius:0;min-height:100vh}.answer{grid-template-columns:1fr;margin-bottom:.6rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}}";
