"""Checks planted.json: ids, quotes, accept patterns, counts."""
import json, os, re, sys
from collections import Counter
HERE = os.path.dirname(os.path.abspath(__file__))
LINK = re.compile(r'!?\[((?:\\.|[^\[\]])*)\]\((?:\{%.*?%\}|<[^>]*>|\([^()]*\)|[^(){}])*\)', re.S)

def plain(text):
    text = re.sub(r'\A---\n.*?\n---\n', '', text, flags=re.S)      # front matter
    text = re.sub(r'<!--.*?-->|\{% comment %\}.*?\{% endcomment %\}', ' ', text, flags=re.S)
    text = re.sub(r'^\s*(?:>\s?)+', '', text, flags=re.M)             # block quotes
    text = re.sub(r'^\s*(?:[-*+=]|\d+\.)\s+', '', text, flags=re.M)   # list marks
    text = re.sub(r'^\s*#+\s+', '', text, flags=re.M)               # headings
    for _ in range(2):
        text = LINK.sub(r'\1', text)
    text = re.sub(r'<((?:https?://|mailto:)[^>\s]+|[\w.+-]+@[\w.-]+)>', r'\1', text)
    text = re.sub(r'</?[a-zA-Z][^<>]*>', ' ', text)
    text = text.replace('**', '').replace('`', '')
    text = re.sub(r'(?<![\w])[_*](?=\S)|(?<=\S)[_*](?!\w)', '', text)
    text = re.sub(r'\\([-_*\[\]&.!()#|])', r'\1', text)
    return re.sub(r'\s+', ' ', text)

data = json.load(open(os.path.join(HERE, 'planted.json'), encoding='utf-8'))
bad = []
qs = data['questions']
if data.get('version') != 1 or data.get('root') != 'documents': bad.append('header')
dup = [i for i, c in Counter(q['id'] for q in qs).items() if c > 1]
if dup: bad.append(f'ids twice: {dup}')
if len({q['question'] for q in qs}) != len(qs): bad.append('question twice')
KINDS = {'number', 'who', 'date', 'yes-no', 'rule', 'reason', 'where', 'which'}
docs, cache, kinds = Counter(), {}, Counter()
for q in qs:
    if q.get('unanswerable'):
        if not q.get('why') or 'answers' in q: bad.append(f"{q['id']}: unanswerable entry malformed")
        continue
    kinds[q['kind']] += 1
    if q['kind'] not in KINDS: bad.append(f"{q['id']}: kind {q['kind']}")
    if not q['answers'] or not q['answer'] or not q['accept']: bad.append(f"{q['id']}: empty field")
    pats = {}
    for key in ('accept', 'reject'):
        try: pats[key] = [re.compile(p, re.I) for p in q[key]]
        except re.error as e: bad.append(f"{q['id']}: {key}: {e}"); pats[key] = []
        for p in q[key]:
            if re.search(r'\(\?[=!<]|\\[1-9]', p): bad.append(f"{q['id']}: not Rust syntax: {p}")
    for ans in q['answers']:
        path = os.path.join(HERE, data['root'], ans['document'])
        if not os.path.isfile(path): bad.append(f"{q['id']}: no file {ans['document']}"); continue
        if path not in cache: cache[path] = plain(open(path, encoding='utf-8').read())
        if re.sub(r'\s+', ' ', ans['quote']).strip() != ans['quote']: bad.append(f"{q['id']}: white space in quote")
        if ans['quote'] not in cache[path]: bad.append(f"{q['id']}: quote not found: {ans['quote'][:70]}")
        if not any(p.search(ans['quote']) for p in pats['accept']): bad.append(f"{q['id']}: no accept matches quote in {ans['document']}")
        if any(p.search(ans['quote']) for p in pats['reject']): bad.append(f"{q['id']}: reject matches quote")
    if not any(p.search(q['answer']) for p in pats['accept']): bad.append(f"{q['id']}: no accept matches the answer")
    docs.update({a['document'] for a in q['answers']})
un = sum(bool(q.get('unanswerable')) for q in qs)
if (len(qs), un) != (60, 20): bad.append(f'counts: {len(qs)} questions, {un} unanswerable')
if len(docs) < 30: bad.append(f'only {len(docs)} documents')
print(f'{len(qs)} questions, {len(qs)-un} answerable, {un} unanswerable, {len(docs)} documents, kinds {dict(kinds)}')
print('\n'.join(bad) or 'all checks passed'); sys.exit(bool(bad))
