"""Reads a records file with pyarrow, DuckDB and polars, and prints what each makes of it as JSON.

The logical digest is computed anew from the rows, by its description in the documentation of the records.
"""

import hashlib
import json
import sys

import duckdb
import polars
import pyarrow.parquet

COLUMNS = [
    "game", "tile_seed", "agent_seed", "score", "max_tile", "moves", "directions", "final_board", "nodes", "ending",
]


def digest(rows):
    """SHA-256 over one line a game, all columns but nodes, with tabs between them and both seeds as 16 digits."""
    sha256 = hashlib.sha256()
    for game, tile_seed, agent_seed, score, max_tile, moves, directions, final_board, _, ending in rows:
        fields = [game, f"{tile_seed:016x}", f"{agent_seed:016x}", score, max_tile, moves, directions, final_board, ending]
        sha256.update(("\t".join(map(str, fields)) + "\n").encode())
    return sha256.hexdigest()


def by_pyarrow(file):
    table = pyarrow.parquet.read_table(file)
    metadata = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    rows = zip(*(table.column(name).to_pylist() for name in COLUMNS))
    return {"columns": table.column_names, "digest": digest(rows), "metadata": metadata}


def by_duckdb(file):
    games = duckdb.execute("select * from read_parquet(?) order by game", [file])
    columns = [column[0] for column in games.description]
    entries = duckdb.execute("select key, value from parquet_kv_metadata(?)", [file]).fetchall()
    metadata = {bytes(key).decode(): bytes(value).decode() for key, value in entries}
    rows = duckdb.execute("select * from read_parquet(?) order by game", [file]).fetchall()
    return {"columns": columns, "digest": digest(rows), "metadata": metadata}


def by_polars(file):
    frame = polars.read_parquet(file)
    return {
        "columns": frame.columns,
        "digest": digest(frame.select(COLUMNS).iter_rows()),
        "metadata": polars.read_parquet_metadata(file),
    }


if __name__ == "__main__":
    records = sys.argv[1]
    readers = {"pyarrow": by_pyarrow, "duckdb": by_duckdb, "polars": by_polars}
    json.dump({name: read(records) for name, read in readers.items()}, sys.stdout)
