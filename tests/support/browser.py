# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser as far as the server sees one: requests with a cookie, and a stream that is read event by event."""

import http.client
import itertools
import json
import socket
from urllib.parse import urlsplit

SECONDS = 3  # before a test gives up
_IDS = itertools.count()


class Browser:
    """One browser at the server of a link; `headers` replace its own, and with None leave one out."""

    def __init__(self, link):
        parts = urlsplit(link)
        self.host, self.key = parts.netloc, parts.fragment.removeprefix("k=")
        self.address = (parts.hostname, parts.port)
        self.cookie = ""
        self.streams = []

    def ask(self, method, path, body=None, **headers):
        """The status, the headers and the body of an answer."""
        own = {"host": self.host, "origin": f"http://{self.host}", "cookie": self.cookie}
        own |= {"content-type": "application/json"} if body is not None else {}
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(*self.address, timeout=SECONDS)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            data = body if isinstance(body, bytes | None) else json.dumps(body).encode()
            for name, value in own.items():
                if value:
                    connection.putheader(name, value)
            if data is not None and "content-length" not in own:
                connection.putheader("content-length", str(len(data)))
            connection.endheaders(data)
            answer = connection.getresponse()
            try:
                return answer.status, answer.headers, answer.read()
            except ConnectionResetError:
                if answer.status < http.HTTPStatus.BAD_REQUEST:  # what is refused need not be read to its end
                    raise
                return answer.status, answer.headers, b""
        finally:
            connection.close()

    def enter(self, **more):
        """Give the key; the status."""
        status, headers, _ = self.ask("POST", "/enter", {"key": self.key, **more})
        if status == 204:
            self.cookie = headers["set-cookie"].partition(";")[0]
        return status

    def type(self, text, id_=""):
        """Type a line; the status and the answer."""
        id_ = id_ or f"test-line-{next(_IDS)}"
        status, _, body = self.ask("POST", "/type", {"id": id_, "text": text})
        return status, json.loads(body)

    def follow(self, last_id="", since=""):
        """Open the stream."""
        stream = Stream(self, last_id, since)
        self.streams.append(stream)
        return stream

    def close(self):
        for stream in self.streams:
            stream.close()


class Stream:
    """The events of a page; `raw` is every byte of them."""

    def __init__(self, browser, last_id="", since=""):
        self.connection = http.client.HTTPConnection(*browser.address, timeout=SECONDS)
        headers = {"Host": browser.host, "Cookie": browser.cookie}
        if last_id:
            headers["Last-Event-ID"] = last_id
        self.connection.request("GET", f"/events?since={since}" if since else "/events", headers=headers)
        self.answer = self.connection.getresponse()
        self.status, self.raw, self.id = self.answer.status, b"", ""

    def event(self):
        """The next event, its name and its data; None at the end of the stream."""
        found = {}
        while line := self.answer.readline():
            self.raw += line
            if line == b"\n" and "data" in found:
                self.id = found.get("id", self.id)
                return found["event"], json.loads(found["data"])
            name, _, value = line.decode().rstrip("\n").partition(": ")
            found[name] = value
        return None

    def until(self, wanted):
        """The events up to the one that is wanted, whose data is returned; it is awaited."""
        while event := self.event():
            if wanted(*event):
                return event[1]
        raise AssertionError("the stream has ended")

    def state(self, wanted=bool):
        """The next state that is wanted."""
        return self.until(lambda name, data: name == "state" and wanted(data))

    def said(self, part):
        """Wait until something with this part is told."""
        return self.until(lambda name, data: name == "say" and part in data["text"])["text"]

    def close(self):
        if self.connection.sock:
            self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.answer.close()
        self.connection.close()
