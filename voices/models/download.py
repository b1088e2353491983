# SPDX-License-Identifier: GPL-3.0-or-later
"""An address -> bytes, over HTTPS only, and a download that resumes where it stopped."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import ssl
import time
from collections.abc import Callable, Iterator
from http import HTTPStatus
from http.client import HTTPException, HTTPMessage, HTTPResponse
from io import FileIO
from pathlib import Path
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from voices.models.errors import Kind, ModelError, disk, need_room

PATIENCE_S = 30.0
_BLOCK = 1 << 16
_LEAST_BYTES_S = 200  # the slowest telephone line sends more
_RANGE = re.compile(r"bytes (\d+)-\d+/(\d+)")

Progress = Callable[[int, int], None]  # bytes present, bytes in all


def fetch(address: str, limit: int, timeout_s: float = PATIENCE_S) -> bytes:
    """The content of an address. Raises ModelError if it does not answer, ValueError beyond `limit` bytes."""
    with _open(address, timeout_s) as response:
        data, pace = bytearray(), _Pace(address, timeout_s)
        while len(data) <= limit:
            with _network(address, "cut"):
                block = response.read1(min(_BLOCK, limit + 1 - len(data)))
            if not block:
                break
            data += block
            pace.check(len(data))
        if len(data) > limit:
            raise ValueError(f"over {limit} bytes")
        if response.length:
            raise ModelError("cut", address=address)
    return bytes(data)


def download(
    address: str, file: FileIO, size: int, progress: Progress, timeout_s: float = PATIENCE_S
) -> None:
    """Fill a file up to `size` bytes, resuming after what it holds if the server supports that.

    `timeout_s`: how long the server may be silent, or send next to nothing. Raises ModelError; what has
    arrived is then in the file.
    """
    folder = Path(file.name).parent
    with disk(folder):
        there = file.seek(0, 2)
    if there == size:
        return
    start = there if there < size else 0
    need_room(folder, size - start)
    response, start = _open_at(address, start, size, timeout_s)
    with response, disk(folder):
        file.seek(start)
        file.truncate()
        done, pace = start, _Pace(address, timeout_s)
        progress(done, size)
        while done < size:
            with _network(address, "cut"):
                block = response.read1(min(_BLOCK, size - done))  # what has arrived, without waiting for more
            if not block:
                raise ModelError("cut", address=address)
            _write(file, block)
            done += len(block)
            progress(done, size)
            if done < size:
                pace.check(done)


class _Pace:
    """Whether a server sends at all: one that sends a byte now and then is silent too."""

    def __init__(self, address: str, timeout_s: float) -> None:
        self._address = address
        self._timeout_s = timeout_s
        self._since, self._from = time.monotonic(), 0

    def check(self, done: int) -> None:
        """Raise ModelError if next to nothing has arrived for as long as a server may be silent."""
        now = time.monotonic()
        if now - self._since < self._timeout_s:
            return
        if done - self._from < _LEAST_BYTES_S * self._timeout_s:
            raise ModelError("timeout", address=self._address)
        self._since, self._from = now, done


def check_address(address: str, *, http: bool = True) -> None:
    """Raise ModelError "insecure" unless an address is HTTPS, or permitted plain HTTP on this machine."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        host = ""
    if not host or not (parts.scheme == "https" or (http and parts.scheme == "http" and _is_here(host))):
        raise ModelError("insecure", address=address)


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _Redirects(HTTPRedirectHandler):
    """Follows no redirect from HTTPS to anything else."""

    def redirect_request(  # noqa: PLR0913, PLR0917 - the library's
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        try:
            check_address(newurl, http=req.type != "https")
        except ModelError:
            fp.close()
            raise
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _open(address: str, timeout_s: float, start: int = 0) -> HTTPResponse:
    """A response to read from, requested from `start`; the proxies are those of the environment."""
    check_address(address)
    headers = {"User-Agent": "acessivel", **({"Range": f"bytes={start}-"} if start else {})}
    with _network(address, "unreachable"):
        request = Request(address, headers=headers)  # noqa: S310 - checked above
        response: HTTPResponse = build_opener(_Redirects).open(request, timeout=timeout_s)
    return response


def _open_at(address: str, start: int, size: int, timeout_s: float) -> tuple[HTTPResponse, int]:
    """A response, and the byte at which it begins: `start`, or 0 if the server cannot resume."""
    response = _open_part(address, start, size, timeout_s) if start else None
    if response and response.status == HTTPStatus.PARTIAL_CONTENT:
        return response, start
    response = response or _open(address, timeout_s)
    if response.length not in (None, size):
        response.close()
        raise ModelError("damaged", address=address)
    return response, 0


def _open_part(address: str, start: int, size: int, timeout_s: float) -> HTTPResponse | None:
    """The rest from `start`, or the whole; None if the server has no such part of so large a file."""
    try:
        response = _open(address, timeout_s, start)
    except ModelError as error:
        if error.facts.get("status") == str(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE.value):
            return None
        raise
    found = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if response.status == HTTPStatus.OK or (found and found.groups() == (str(start), str(size))):
        return response
    response.close()
    return None


@contextlib.contextmanager
def _network(address: str, otherwise: Kind) -> Iterator[None]:
    """Turn a network error into a ModelError."""
    try:
        yield
    except HTTPError as error:
        error.close()
        raise ModelError("http", address=address, status=str(error.code)) from error
    except (OSError, HTTPException, ValueError) as error:
        raise ModelError(_kind(error, otherwise), address=address) from error


def _kind(error: Exception, otherwise: Kind) -> Kind:
    """Why the network fails; the library wraps some reasons and not others."""
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, TimeoutError):
        return "timeout"
    return "untrusted" if isinstance(reason, ssl.SSLCertVerificationError) else otherwise


def _write(file: FileIO, block: bytes) -> None:
    """Write all of a block, though a nearly full disk takes only a part at a time."""
    left = memoryview(block)
    while left:
        left = left[file.write(left) :]
