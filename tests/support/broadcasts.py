# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of Lichess's broadcasts on this machine: it takes pushed games as the real one does, and refuses as it does."""

import io
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import chess.pgn


class FakeBroadcast:
    """Serves one round at `url` while it is entered; `games`: what was pushed last, by table; `pushes`: how often.

    `answers`: statuses that the next requests get instead, each with its error.
    """

    def __init__(self):
        self.token, self.round_id = "t", "abcdEFGH"
        self.games, self.pushes, self.answers = {}, 0, []

    def __enter__(self):
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(fake):  # noqa: N805  # the handler has a self of its own
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                status, answer = fake.answered(self.path, self.headers.get("Authorization"), text)
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def answered(self, path, authorization, text):
        self.pushes += 1
        if self.answers:
            status, error = self.answers.pop(0)
            return status, {"error": error}
        if authorization != f"Bearer {self.token}":
            return 401, {"error": "No such token"}
        if path != f"/api/broadcast/round/{self.round_id}/push":
            return 404, {"error": "Not found"}
        games, told = io.StringIO(text), []
        while game := chess.pgn.read_game(games):
            tags = {name: game.headers[name] for name in ("Round", "White", "Black", "Result")}
            if game.errors:
                told.append({"tags": tags, "error": str(game.errors[0])})
            else:
                told.append({"tags": tags, "moves": game.end().ply()})
                self.games[tags["Round"]] = game
        return (200, {"games": told}) if len(told) <= 100 else (400, {"error": "Too many games"})
