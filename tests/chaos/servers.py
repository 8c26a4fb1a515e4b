"""Servers that only one run uses, so that they may be hurt: PostgreSQL and a mail server that counts."""

import os
import shutil
import socketserver
import subprocess
import threading
import time
from collections import Counter
from email import message_from_bytes
from pathlib import Path

import psycopg

from tests.running import free_port, until

VERSIONS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


def _program(name: str) -> str:
    found = shutil.which(name, path=os.pathsep.join([*map(str, VERSIONS), os.environ.get("PATH", "")]))
    if found is None:
        raise SystemExit(f"chaos: {name} is needed (Debian: apt-get install postgresql)")
    return found


class OwnPostgres:
    def __init__(self, home: Path) -> None:
        self.data, self.port = home / "postgres", free_port()
        self.data.mkdir()
        self.as_whom: list[str] = []
        if os.getuid() == 0:  # PostgreSQL refuses to run as root
            self.as_whom = ["runuser", "-u", "postgres", "--"]
            shutil.chown(self.data, "postgres")
        self._run("initdb", "--pgdata", "{data}", "--username", "postgres", "--auth", "trust", "--no-sync")
        self.start()
        with psycopg.connect(self.url.replace("/sabot", "/postgres"), autocommit=True) as server:
            server.execute("CREATE DATABASE sabot")

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/sabot"

    def start(self) -> None:
        """It may have ended by itself, on a full disk; then it is started like one that was stopped."""
        options = f"-k {self.data} -p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off -c max_wal_size=64MB"
        start = ("pg_ctl", "start", "--wait", "--silent", "--pgdata", "{data}", "--log", "{data}/log")
        until("PostgreSQL starts", lambda: self.is_up() or self._ends_well(*start, "--options", options))

    def is_up(self) -> bool:
        return self._ends_well("pg_ctl", "status", "--pgdata", "{data}")

    def kill(self) -> None:
        self._ends_well("pg_ctl", "stop", "--pgdata", "{data}", "--mode", "immediate")

    def _ends_well(self, *command: str) -> bool:
        try:
            self._run(*command)
        except subprocess.CalledProcessError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        given = [argument.replace("{data}", str(self.data)) for argument in arguments]
        # Its log is a file: a pipe would be kept open by the server that it starts.
        command = [*self.as_whom, _program(program), *given]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", check=True, timeout=60)


class Post:
    """A mail server that takes everything and counts how often each Message-ID came."""

    def __init__(self) -> None:
        self.taken: Counter[str] = Counter()
        self.slow = 0.0  # seconds before it says its first word …
        self.away = False  # … or none at all
        self.server = _Server(("127.0.0.1", 0), _Talk)
        self.server.post = self
        self.port = int(self.server.server_address[1])
        threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    post: Post


class _Talk(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, _Server)
        post = self.server.post
        time.sleep(post.slow)
        if post.away:
            return
        self.say("220 chaos")
        while line := self.rfile.readline():
            word = line[:4].upper().strip()
            if word == b"DATA":
                self.say("354 go on")
                if not self.take(post):
                    return
            self.say("221 bye" if word == b"QUIT" else "250 chaos")
            if word == b"QUIT":
                return

    def take(self, post: Post) -> bool:
        """Whether all of a mail came: whoever was killed in the middle has sent none."""
        text = b""
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return False
            text += line
        post.taken[str(message_from_bytes(text)["Message-ID"])] += 1
        return True

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())
