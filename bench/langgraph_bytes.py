"""What LangGraph stores for a chain of steps whose outputs are 2 kB, for the table in docs/measurements.md.

usage: langgraph_bytes.py {sqlite|postgres} STEPS...
Postgres: BENCH_PG=postgresql://user@host:port/ of a server of your own; the database `langgraph_bytes` is made anew.
One node, run as often as there are steps, appends its output to a list: what a thread of messages does.
"""
import asyncio, base64, json, operator, os, sys, tempfile
from typing import Annotated, TypedDict
from langgraph.graph import StateGraph, START, END

backend, counts = sys.argv[1], [int(n) for n in sys.argv[2:]]
SERVER = os.environ.get("BENCH_PG", "postgresql://postgres@127.0.0.1:5599/")


def output():
    """2,000 characters that do not compress to nothing, as text from a model would not."""
    return base64.b64encode(os.urandom(1500)).decode()


class State(TypedDict):
    left: int
    outputs: Annotated[list, operator.add]


def chain():
    graph = StateGraph(State)
    graph.add_node("step", lambda s: {"left": s["left"] - 1, "outputs": [output()]})
    graph.add_edge(START, "step")
    graph.add_conditional_edges("step", lambda s: "step" if s["left"] > 0 else END)
    return graph


async def run(saver, steps):
    graph = chain().compile(checkpointer=saver)
    config = {"configurable": {"thread_id": f"t{steps}"}, "recursion_limit": steps + 10}
    out = await graph.ainvoke({"left": steps, "outputs": []}, config)
    assert len(out["outputs"]) == steps


async def sqlite(steps):
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "bytes.db")
        async with AsyncSqliteSaver.from_conn_string(path) as saver:
            await saver.setup()
            await run(saver, steps)
            await saver.conn.execute("pragma wal_checkpoint(truncate)")
        return os.path.getsize(path)


async def postgres(steps):
    import psycopg
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    with psycopg.connect(SERVER + "postgres", autocommit=True) as server:
        server.execute("drop database if exists langgraph_bytes")
        server.execute("create database langgraph_bytes")
        before = server.execute("select pg_database_size('langgraph_bytes')").fetchone()[0]
        async with AsyncPostgresSaver.from_conn_string(SERVER + "langgraph_bytes") as saver:
            await saver.setup()
            await run(saver, steps)
        return server.execute("select pg_database_size('langgraph_bytes')").fetchone()[0] - before


for steps in counts:
    size = asyncio.run(sqlite(steps) if backend == "sqlite" else postgres(steps))
    print(json.dumps({"peer": f"langgraph-{backend}", "workload": "bytes", "steps": steps,
                      "bytes": size, "bytes_per_step": round(size / steps)}), flush=True)
