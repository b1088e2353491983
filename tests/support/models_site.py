# SPDX-License-Identifier: GPL-3.0-or-later
"""A site of speech models on this machine: real HTTP, with each way to go wrong that a server has."""

import hashlib
import io
import json
import random
import ssl
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

SMALL_PT = "vosk-model-small-pt-0.3"
SMALL_DE = "vosk-model-small-de-0.15"
LIST = "/model-list.json"


def entry(name, archive=b"x", url="https://example.org/model.zip", **other):
    """An entry as the site's list has it."""
    words = name.split("-")
    small = "small" in words
    language = words[3 if small else 2] + ("-us" if "-us-" in name else "")
    return {
        "lang": language,
        "lang_text": {"pt": "Portuguese", "de": "German", "es": "Spanish", "fr": "French"}.get(
            language, "English"
        ),
        "md5": hashlib.md5(archive, usedforsecurity=False).hexdigest(),
        "name": name,
        "obsolete": "false",
        "size": len(archive),
        "size_text": "31 MiB",
        "type": "small" if small else "big",
        "url": url,
        "version": words[-1],
        **other,
    }


def noise(count, seed=1):
    """Bytes that no compression makes fewer."""
    return random.Random(seed).randbytes(count)  # noqa: S311


def archive(*members, folder=SMALL_PT, acoustic=b"model"):
    """A zip with a model that `is_model` takes, and members of one's own: (ZipInfo or name, bytes)."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as writer:
        if folder is not None:
            writer.mkdir(folder)
            writer.writestr(f"{folder}/am/final.mdl", acoustic)
            writer.writestr(f"{folder}/conf/mfcc.conf", b"--sample-frequency=16000\n")
        for name, data in members:
            writer.writestr(name, data)
    return packed.getvalue()


class Site:
    """Serves what is put into `pages`, and keeps what was asked: (path, headers) in `requests`.

    `pages`: path -> bytes, or a function of the request's handler for any other behaviour.
    """

    def __init__(self, certificate=None):
        self.pages = {}
        self.requests = []
        self.ranges = True
        self._over = threading.Event()
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                site.answer(self)

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._scheme = "http"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
            self._scheme = "https"
        self._server.daemon_threads = False  # all are waited for at the end: nothing is left over
        self._server.handle_error = lambda *_: None  # a client that hangs up is what some tests are about
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def url(self, path=""):
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}{path}"

    def offer(self, name, data, **other):
        """One more model in the list, with its archive."""
        path = f"/{name}.zip"
        listed = json.loads(self.pages.get(LIST, b"[]"))
        self.pages[LIST] = json.dumps([*listed, entry(name, data, self.url(path), **other)]).encode()
        self.pages.setdefault(path, data)
        return path

    def answer(self, handler):
        path = urlsplit(handler.path).path
        self.requests.append((handler.path, dict(handler.headers)))
        page = self.pages.get(path)
        if page is None:
            handler.send_error(404)
        elif callable(page):
            page(handler)
        else:
            self.give(handler, page)

    def give(self, handler, data, until=None):
        """Serve bytes, or the part that is asked for; `until`: no more than so many of the whole."""
        asked = handler.headers.get("Range")
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and self.ranges else 0
        if start >= len(data) > 0:
            handler.send_error(416)
            return
        handler.send_response(206 if start else 200)
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        handler.send_header("Content-Length", str(len(data) - start))
        handler.end_headers()
        handler.wfile.write(data[start:until])
        handler.wfile.flush()

    def cut(self, data, after):
        """A page whose connection ends after so many bytes, too early."""
        return lambda handler: self.give(handler, data, after)

    def hang(self, data, after):
        """A page that gives so many bytes, and then nothing any more."""

        def page(handler):
            self.give(handler, data, after)
            self._over.wait()

        return page

    def drip(self, data):
        """A page that gives a byte every now and then."""

        def page(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(data)))
            handler.end_headers()
            for byte in data:
                if self._over.wait(0.05):
                    return
                try:
                    handler.wfile.write(bytes((byte,)))
                except OSError:  # nobody listens any more
                    return

        return page

    def silent(self, _):
        """A page that never answers."""
        self._over.wait()

    def asked(self, path):
        """What was asked for a path: the Range of each request, or None."""
        return [headers.get("Range") for asked, headers in self.requests if urlsplit(asked).path == path]

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
