# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL to try a hall with, until Ctrl+C: its database, an arbiter's login, keys for some tables."""

from __future__ import annotations

import argparse
import shutil
import signal
from pathlib import Path

from private_postgres import PrivatePostgres

from acessivel.hall import key_file
from acessivel.hall.database import make_hall, make_login
from acessivel.hall.key_file import TableKey
from acessivel.hall.postgres import PostgresHall

_NAME = "hall"


def main() -> None:
    """Start it, write the keys into a folder, and say what to type."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--folder", type=Path, default=Path("build/hall"), help="is made anew")
    given = parser.parse_args()
    folder: Path = given.folder.absolute()
    shutil.rmtree(folder, ignore_errors=True)
    server = PrivatePostgres(folder / "server")
    try:
        make_hall(server.admin, _NAME)
        arbiter = server.url(_NAME, "arbiter", make_login(server.admin, _NAME, "arbiter", "arbiter"))
        hall = PostgresHall(arbiter)
        certificate = server.certificate.read_text("utf-8")
        for table in range(1, given.tables + 1):
            key = TableKey(table, hall.make_key(table), certificate)
            key_file.write(folder / f"table-{table}.key", key)
        hall.close()
        (folder / "arbiter").write_text(arbiter, "utf-8")
        (folder / "arbiter").chmod(0o600)
        address = f"postgresql://127.0.0.1:{server.port}/{_NAME}"
        print(f'arbiter: acessivel hall --hall "$(cat {folder}/arbiter)"')
        print(f"table 1: acessivel play --opponent human --hall {address} --hall-key {folder}/table-1.key")
        print(
            f"database: psql '{server.admin.replace('dbname=postgres', f'dbname={_NAME}')}' (as its user)",
            flush=True,
        )
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    finally:
        server.stop()


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    main()
