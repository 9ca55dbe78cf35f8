"""What somebody with write access to the SQLite file can do, without any key.

store.py spent DB                    changes what accounts have used
store.py caps DB                     raises every cap of every account
store.py save DB KIND FILE           copies the records of a kind (access, stop, audit, …) to a file
store.py put DB KIND FILE            puts these copies back, as they were
store.py drop DB KIND [COUNT]        deletes the records of a kind, or only the last COUNT
store.py mission DB EVENTS ID        inserts a mission with a plaintext journal: EVENTS as `adjutant events --json` prints them
                                     (those of the mission ID, which becomes a new one); prints the new id
"""
import json
import os
import re
import sqlite3
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blake3  # noqa: E402

what, path = sys.argv[1:3]
rest = sys.argv[3:]
db = sqlite3.connect(path)


def columns(table):
    return [c[1] for c in db.execute(f"pragma table_info({table})")]


def numbers(value, change):
    """Every number in a JSON value, changed."""
    if isinstance(value, dict):
        return {k: numbers(v, change) for k, v in value.items()}
    if isinstance(value, list):
        return [numbers(v, change) for v in value]
    if isinstance(value, int) and not isinstance(value, bool):
        return change(value)
    return value


def rewrite(table, column, change):
    if column not in columns(table):
        sys.exit(f"no {table}.{column}")
    rows = db.execute(f"select distinct {column} from {table}").fetchall()
    if not rows:
        sys.exit(f"{table} is empty")
    for (text,) in rows:
        new = json.dumps(numbers(json.loads(text), change), separators=(",", ":"))
        if new == text:
            sys.exit(f"nothing to change in {text}")
        db.execute(f"update {table} set {column} = ? where {column} = ?", (new, text))
    print(db.execute(f"select {column} from {table}").fetchall())


if what == "spent":
    rewrite("accounts", "balance", lambda n: n // 2 if n > 1 else 0)
elif what == "caps":
    rewrite("account_caps", "caps", lambda n: n * 1000)
elif what == "save":
    kind, file = rest
    names = columns("records")
    rows = db.execute("select * from records where kind = ?", (kind,)).fetchall()
    if not rows:
        sys.exit(f"no record of kind {kind}")
    json.dump([[{"hex": v.hex()} if isinstance(v, bytes) else v for v in row] for row in rows], open(file, "w"))
elif what == "put":
    kind, file = rest
    rows = [[bytes.fromhex(v["hex"]) if isinstance(v, dict) else v for v in row] for row in json.load(open(file))]
    marks = ",".join("?" * len(rows[0]))
    before = set(db.execute("select * from records where kind = ?", (kind,)).fetchall())
    db.executemany(f"insert or replace into records values ({marks})", rows)
    if set(db.execute("select * from records where kind = ?", (kind,)).fetchall()) == before:
        sys.exit("nothing changed")
elif what == "drop":
    kind = rest[0]
    names = [n for (n,) in db.execute("select name from records where kind = ? order by name", (kind,))]
    if not names:
        sys.exit(f"no record of kind {kind}")
    for name in names[-int(rest[1]):] if len(rest) > 1 else names:
        db.execute("delete from records where kind = ? and name = ?", (kind, name))
        print("deleted", kind, name)
elif what == "mission":
    events, old = rest
    alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
    number = 0
    for c in old.removeprefix("msn_"):
        number = number * 32 + alphabet.index(c)
    assert db.execute("select 1 from missions where mission = ?", (number.to_bytes(16, "big"),)).fetchone(), "the id is read wrongly"
    number ^= 0xA5A5A5A5A5
    new = ""
    rest_of = number
    for _ in range(26):
        new = alphabet[rest_of % 32] + new
        rest_of //= 32
    new = "msn_" + new
    row = dict(zip(columns("missions"), db.execute("select * from missions order by id limit 1").fetchone()))
    tenant = row["tenant"]
    row.update(id=row["id"] + 1000, mission=number.to_bytes(16, "big"), title=b"forged", wake_at=0,
               ended=0, paused=0, phase="executing", tasks_ended=0, checkpoints_open=0, kept="working")
    marks = ",".join("?" * len(row))
    db.execute(f"insert into missions ({','.join(row)}) values ({marks})", list(row.values()))
    chain = blake3.derive("adjutant journal v1", struct.pack("<Q", len(row["origin"])) + row["origin"].encode() + number.to_bytes(16, "big"))
    # A mark instead of the words of the honest plan: what the forged mission does can be told apart.
    pos = (db.execute("select max(pos) from events").fetchone()[0] or 0) + 1
    lines = [line for line in open(events) if line.strip()]
    for seq, line in enumerate(lines, 1):
        line = line.rstrip("\n").replace(old, new).replace("honest", "forged")
        line = re.sub(r'cmd_[0-9a-z]{26}', lambda m: m.group(0)[:-6] + "f0rged"[:6].replace("o", "0"), line)
        data = line.encode()
        chain = blake3.hash(chain + struct.pack("<Q", seq) + data)
        db.execute("insert into events (pos, mission, seq, hash, bytes) values (?,?,?,?,?)", (pos, row["id"], seq, chain, data))
        pos += 1
    if db.execute("select 1 from counts where tenant = ? and phase = 'executing'", (tenant,)).fetchone():
        db.execute("update counts set n = n + 1 where tenant = ? and phase = 'executing'", (tenant,))
    else:
        db.execute("insert into counts values (?, 'executing', 1)", (tenant,))
    print(new)
else:
    sys.exit(__doc__)
db.commit()
db.close()
