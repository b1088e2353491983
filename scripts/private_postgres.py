# SPDX-License-Identifier: GPL-3.0-or-later
"""A PostgreSQL server of its own in a folder, with TLS and passwords, from Debian's package."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import psycopg

_BINARIES = Path("/usr/lib/postgresql")
_HBA = """
local all postgres peer map=ours
local all all reject
hostssl all all 127.0.0.1/32 scram-sha-256
host all all 0.0.0.0/0 reject
"""
_READY_S = 30.0


class PrivatePostgres:
    """A server that ends with its owner: as root it runs as the user `postgres`, which it insists on."""

    def __init__(self, folder: Path, *, safe: bool = True, connections: int = 300) -> None:
        """Make and start a server in an empty folder.

        Not `safe`: what was written can be lost with the machine, not with the server. Raises RuntimeError
        without Debian's package.
        """
        self.folder = folder
        self.port = _free_port()
        self.certificate = folder / "hall.crt"
        versions = sorted(_BINARIES.glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
        if not versions:
            raise RuntimeError("install the package postgresql")
        self._binaries = versions[-1].parent
        self._as = (
            ("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", "--reset-env")
            if os.geteuid() == 0
            else ()
        )
        self._make(safe=safe, connections=connections)
        self.start()

    @property
    def admin(self) -> str:
        """How its superuser reaches it."""
        return f"host={self.folder} port={self.port} user=postgres dbname=postgres"

    def dsn(self, database: str, user: str, password: str) -> str:
        """How somebody reaches it over TLS, who makes sure that it is this server."""
        return (
            f"host=127.0.0.1 port={self.port} dbname={database} user={user} password={password}"
            f" sslmode=verify-full sslrootcert={self.certificate} channel_binding=require"
        )

    def url(self, database: str, user: str, password: str) -> str:
        """The same as an address."""
        return (
            f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"
            f"?sslmode=verify-full&sslrootcert={self.certificate}&channel_binding=require"
        )

    def sessions(self, database: str) -> int:
        """How many are connected to a database."""
        asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        with psycopg.connect(self.admin) as admin:
            ((count,),) = admin.execute(asked, (database,)).fetchall()
        return int(count)

    def start(self) -> None:
        """Start it, or start it again, and wait until it takes connections."""
        command = [*self._as, *(("--pdeathsig", "INT") if self._as else ())]
        log = (self.folder / "log").open("ab")
        with log:
            self._server = subprocess.Popen(
                [*command, str(self._binaries / "postgres"), "-D", str(self.folder / "data")],
                cwd="/", stdout=log, stderr=log,
            )  # fmt: skip
        deadline = time.monotonic() + _READY_S
        while not self._ready():
            if self._server.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self.folder / "log").read_text("utf-8", "replace")[-2000:])
            time.sleep(0.01)

    def kill(self) -> None:
        """End it at once: kill -9 of all its processes."""
        self._signal(signal.SIGKILL)
        self._server.wait()

    def hang(self, *, hangs: bool) -> None:
        """Let all its processes stand still, or go on."""
        self._signal(signal.SIGSTOP if hangs else signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        command = ["ps", "-o", "pid=", "--ppid", str(self._server.pid)]
        children = subprocess.run(command, capture_output=True, text=True, check=False)
        for pid in (self._server.pid, *map(int, children.stdout.split())):
            with contextlib.suppress(ProcessLookupError):  # it has ended with the first
                os.kill(pid, number)

    def stop(self) -> None:
        """End it in order."""
        if self._server.poll() is None:
            self._server.send_signal(signal.SIGINT)
            self._server.wait(30)

    def _make(self, *, safe: bool, connections: int) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        if self._as:
            shutil.chown(self.folder, "postgres", "postgres")
        data = self.folder / "data"
        self._run(
            self._binaries / "initdb", "-D", data, "-N", "-U", "postgres", "-A", "trust", "--locale=C",
            "-E", "UTF8", "--no-instructions",
        )  # fmt: skip
        self._make_certificate()
        user = pwd.getpwuid(os.geteuid()).pw_name
        lines = [
            "listen_addresses = '127.0.0.1'",
            f"port = {self.port}",
            f"unix_socket_directories = '{self.folder}'",
            f"max_connections = {connections}",
            "password_encryption = 'scram-sha-256'",
            "ssl = on",
            f"ssl_cert_file = '{self.certificate}'",
            f"ssl_key_file = '{self.folder / 'server.key'}'",
            *(() if safe else ("fsync = off", "full_page_writes = off")),
        ]
        with (data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
        (data / "pg_hba.conf").write_text(_HBA, "utf-8")
        (data / "pg_ident.conf").write_text(f"ours {user} postgres\nours postgres postgres\n", "utf-8")

    def _make_certificate(self) -> None:
        """One on P-256: with Ed25519 no login works that is bound to the channel."""
        self._run(
            "openssl", "req", "-new", "-x509", "-days", "3650", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=hall", "-addext",
            "subjectAltName=DNS:hall,IP:127.0.0.1", "-keyout", self.folder / "server.key",
            "-out", self.certificate,
        )  # fmt: skip
        self._run("chmod", "600", self.folder / "server.key")

    def _run(self, *command: str | Path) -> None:
        done = subprocess.run(
            [*self._as, *map(str, command)], cwd="/", capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)

    def _ready(self) -> bool:
        try:
            lines = (self.folder / "data" / "postmaster.pid").read_text("utf-8").splitlines()
        except OSError:
            return False
        return len(lines) > 7 and int(lines[0]) == self._server.pid and lines[7].strip() == "ready"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
