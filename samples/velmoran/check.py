#!/usr/bin/env python3
"""Checks planted.json against the documents.

Usage: check.py [DOCUMENTS]     (default: the folder "documents" next to this file)
Needs pypdf for the .pdf files. If DOCUMENTS has a planted.json beside it, the check also makes sure that
everything in that older key is still in this one, unchanged.
"""
import csv, datetime, email, email.policy, html, io, json, os, re, sys, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {"number", "date", "person", "list", "yes_no", "reason", "rule"}
problems = []


def bad(text):
    problems.append(text)


def collapse(text):
    return re.sub(r"\s+", " ", text).strip()


def no_tags(text):
    text = re.sub(r"(?is)<(script|style)\b.*?</\1>", " ", text)
    text = re.sub(r"(?i)</?(p|li|ul|ol|h\d|tr|td|th|table|div|br|article|body|html|head|title|meta)\b[^>]*>", " ", text)
    return html.unescape(re.sub(r"<[^>]+>", "", text))


def rows(text):
    return "\n".join(" | ".join(row) for row in csv.reader(io.StringIO(text)))


def read(path):
    with open(path, "rb") as f:
        data = f.read()
    ext = path.rsplit(".", 1)[-1].lower()
    if ext == "pdf":
        import pypdf
        return "\n".join(page.extract_text() or "" for page in pypdf.PdfReader(io.BytesIO(data)).pages)
    if ext == "docx":
        xml = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode("utf-8")
        xml = re.sub(r"</w:p>|<w:tab/>|<w:br/>", " ", xml)
        return html.unescape(re.sub(r"<[^>]+>", "", xml))
    if ext == "eml":
        message = email.message_from_bytes(data, policy=email.policy.default)
        parts = [str(message["subject"] or "")]
        for part in message.walk():
            if part.is_multipart():
                continue
            body = part.get_content()
            if not isinstance(body, str):
                continue
            kind = part.get_content_type()
            parts.append(no_tags(body) if kind == "text/html" else rows(body) if kind == "text/csv" else body)
        return "\n".join(parts)
    text = data.decode("utf-8")
    if ext == "csv":
        return rows(text)
    if ext in ("html", "htm"):
        return no_tags(text)
    return text


def main():
    if len(sys.argv) > 1:
        root = sys.argv[1]
    else:
        root = os.path.join(HERE, "documents")
        if not os.path.isdir(root):
            sys.exit("give the folder with the documents as first argument")
    key = json.load(open(os.path.join(HERE, "planted.json"), encoding="utf-8"))

    # documents
    listed = [d["path"] for d in key["documents"]]
    there = sorted(os.path.relpath(os.path.join(d, f), root).replace(os.sep, "/") for d, _, fs in os.walk(root) for f in fs)
    for path in sorted(set(there) - set(listed)):
        bad(f"document not listed: {path}")
    for path in sorted(set(listed) - set(there)):
        bad(f"document not there: {path}")
    if len(listed) != len(set(listed)):
        bad("a document is listed twice")
    texts = {path: collapse(read(os.path.join(root, path))) for path in there}

    # quotes: every object with document and quote (or text), wherever it stands
    quotes = 0

    def walk(node, where):
        nonlocal quotes
        if isinstance(node, dict):
            where = node.get("id", where)
            text = node.get("quote") if "quote" in node else node.get("text")
            if "document" in node and isinstance(text, str):
                quotes += 1
                if not text.strip():
                    bad(f"{where}: empty quote")
                elif text != collapse(text):
                    bad(f"{where}: white space in the quote is not collapsed: {text!r}")
                elif text not in texts.get(node["document"], ""):
                    bad(f"{where}: not in {node['document']}: {text!r}")
            for value in node.values():
                walk(value, where)
        elif isinstance(node, list):
            for value in node:
                walk(value, where)

    for name, value in key.items():
        walk(value, name)

    # ids
    seen = set()
    for name in ("conflicts", "updates", "decoys", "obligations", "gaps", "superseded", "questions"):
        for item in key[name]:
            if item["id"] in seen:
                bad(f"id twice: {item['id']}")
            seen.add(item["id"])

    # questions
    answerable = [q for q in key["questions"] if not q.get("unanswerable")]
    unanswerable = [q for q in key["questions"] if q.get("unanswerable")]
    for q in answerable:
        name = q["id"]
        if q.get("kind") not in KINDS:
            bad(f"{name}: kind {q.get('kind')!r}")
        if not q.get("answer") or not q.get("accept") or not isinstance(q.get("reject"), list) or not q.get("answers"):
            bad(f"{name}: a field is missing")
            continue
        for pattern in q["accept"] + q["reject"]:
            try:
                re.compile(pattern, re.I)
            except re.error as e:
                bad(f"{name}: {pattern!r}: {e}")
            if re.search(r"\(\?(?:=|!|<[=!])|\\[1-9]", pattern):
                bad(f"{name}: look-around or back reference, not every engine has them: {pattern!r}")
        for a in q["accept"]:
            if not re.search(a, q["answer"], re.I):
                bad(f"{name}: accept {a!r} does not match the answer")
        for r in q["reject"]:
            for text in [q["answer"]] + [a["quote"] for a in q["answers"]]:
                if re.search(r, text, re.I):
                    bad(f"{name}: reject {r!r} matches {text!r}")
        pairs = [(a["document"], a["quote"]) for a in q["answers"]]
        if len(pairs) != len(set(pairs)):
            bad(f"{name}: an answer twice")
    for q in unanswerable:
        if not q.get("why") or "answers" in q:
            bad(f"{q['id']}: unanswerable needs why and no answers")

    # updates, decoys, obligations
    dates = {d["path"]: d["date"] for d in key["documents"]}
    for u in key["updates"]:
        if u["how"] not in ("version", "amendment", "correction", "date"):
            bad(f"{u['id']}: how {u['how']!r}")
        if u["old"]["value"] == u["new"]["value"]:
            bad(f"{u['id']}: old and new are the same")
        if dates.get(u["old"]["document"], "") > dates.get(u["new"]["document"], ""):
            bad(f"{u['id']}: old is dated after new")
    conflict_pairs = set()
    for c in key["conflicts"]:
        for a in c["sides"]:
            for b in c["sides"]:
                if a is not b and a["value"] != b["value"]:
                    conflict_pairs.add((a["document"], a["quote"], b["document"], b["quote"]))
    for item, sides in [(u["id"], [u["old"], u["new"]]) for u in key["updates"]] + [(d["id"], d["sides"]) for d in key["decoys"]]:
        if len(sides) < 2:
            bad(f"{item}: fewer than two sides")
        for a in sides:
            for b in sides:
                if a is not b and (a["document"], a["quote"], b["document"], b["quote"]) in conflict_pairs:
                    bad(f"{item}: the same two quotes are a conflict")
    today = key["today"]
    status = {"fulfilled": 0, "open": 0, "overdue": 0}
    for o in key["obligations"]:
        status[o["status"]] += 1
        if o["due"] is not None:
            datetime.date.fromisoformat(o["due"])
        if (o["status"] == "fulfilled") != (o["fulfilled_by"] is not None):
            bad(f"{o['id']}: status and fulfilled_by do not agree")
        if o["status"] == "overdue" and not (o["due"] and o["due"] < today):
            bad(f"{o['id']}: overdue, but due {o['due']}")
        if o["status"] == "open" and o["due"] and o["due"] < today:
            bad(f"{o['id']}: open, but due {o['due']}")

    # counts
    for what, number, least in [
        ("conflicts", len(key["conflicts"]), 20), ("updates", len(key["updates"]), 10), ("decoys", len(key["decoys"]), 10),
        ("obligations", len(key["obligations"]), 15), ("fulfilled", status["fulfilled"], 5), ("open", status["open"], 5),
        ("overdue", status["overdue"], 5), ("gaps", len(key["gaps"]), 10), ("questions with an answer", len(answerable), 40),
        ("questions without", len(unanswerable), 12),
    ]:
        if number < least:
            bad(f"{what}: {number}, at least {least} needed")

    # the older key is kept
    older = os.path.join(os.path.dirname(os.path.abspath(root)), "planted.json")
    if os.path.isfile(older) and os.path.abspath(older) != os.path.join(HERE, "planted.json"):
        old = json.load(open(older, encoding="utf-8"))
        for name, value in old.items():
            if name != "questions":
                if key.get(name) != value:
                    bad(f"{name} differs from the older key")
                continue
            by_id = {q["id"]: q for q in key["questions"]}
            for q in value:
                new = by_id.get(q["id"], {})
                if new.get("question") != q["question"] or new.get("answers", [])[: len(q["answers"])] != q["answers"]:
                    bad(f"{q['id']} differs from the older key")

    for line in problems:
        print(line)
    print(f"{len(there)} documents, {quotes} quotes, {len(answerable)} + {len(unanswerable)} questions, {len(key['updates'])} updates, "
          f"{len(key['decoys'])} decoys, {len(key['obligations'])} obligations {status}: "
          + ("passed" if not problems else f"{len(problems)} problems"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
