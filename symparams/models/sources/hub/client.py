"""A client that gets one small file: bounded in bytes and in time, redirected a few times and never to another scheme.

The token is sent to the hub's own address alone, never to where it redirects.
"""

from __future__ import annotations

import http.client
import re
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit

from symparams.errors import ConfigError
from symparams.models.sources import content

MOST_REDIRECTS = 5
WAITS = (0.5, 1.0, 2.0)  # seconds before each further attempt, where the hub names none
BUSY = frozenset({429, 500, 502, 503, 504})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
PIECE = 65_536


class NoAnswerError(Exception):
    """There is no answer to speak of; the text says why, as the end of a sentence."""


@dataclass(frozen=True)
class Clock:
    """When a conversation must be over, by the monotonic clock, and the sockets that were opened for it."""

    end: float
    sockets: list[socket.socket]

    @property
    def left(self) -> float:
        """The seconds that are left; NoAnswerError where none are."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise NoAnswerError("the hub did not answer in time; try again later")
        return left


@dataclass(frozen=True)
class Answer:
    """An answer: its status, what the hub says of an error, where it redirects to, how long it wants to be left alone."""

    status: int
    error: str
    location: str | None
    wait: str
    body: bytes


def get(address: str, token: str | None, clock: Clock) -> Answer:
    """What a hub answers in the end: a hub that is busy is asked again, as long as there is time."""
    for wait in WAITS:
        answer = _follow(address, token, clock)
        if answer.status not in BUSY:
            return answer
        pause = float(answer.wait) if re.fullmatch(r"[0-9]{1,4}", answer.wait) else wait
        if pause >= clock.left:
            return answer
        time.sleep(pause)
    return _follow(address, token, clock)


def _follow(address: str, token: str | None, clock: Clock) -> Answer:
    """The answer behind the redirects."""
    start = _origin(address)
    for _ in range(MOST_REDIRECTS + 1):
        answer = _once(address, token if _origin(address) == start else None, clock)
        if answer.status not in REDIRECTS:
            return answer
        address = _redirected(address, answer.location)
        if _origin(address)[0] != start[0]:
            raise NoAnswerError("the hub redirects from http to https, or to what is neither; set HF_ENDPOINT to its address")
    raise NoAnswerError(f"the hub redirects more than {MOST_REDIRECTS} times")


def _redirected(address: str, location: str | None) -> str:
    try:
        found = urljoin(address, location or "")
        _origin(found)
    except ValueError:
        found = ""
    if not location or not re.fullmatch(r"[!-~]{1,4000}", found):
        raise NoAnswerError("the hub redirects to what is no address")
    return found


def _origin(address: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(address)
    return parts.scheme, parts.hostname, parts.port


def _once(address: str, token: str | None, clock: Clock) -> Answer:
    """One request and its answer, whatever the server does; NoAnswerError says what it did."""
    headers = {"User-Agent": "symparams", "Accept": "application/json, text/plain, */*", "Accept-Encoding": "identity"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(address, headers=headers)  # noqa: S310 - the scheme is http or https: endpoint, _follow
    try:
        with _opener(clock).open(request, timeout=clock.left) as response:
            return _read(response, clock)
    except urllib.error.URLError as error:
        raise NoAnswerError(_unreachable(error.reason)) from None
    except TimeoutError:
        raise NoAnswerError("the hub did not answer in time; try again later") from None
    except (OSError, http.client.HTTPException, ValueError):
        raise NoAnswerError("the hub cut its answer short, or answered what is no HTTP; try again later") from None


def _read(response: Any, clock: Clock) -> Answer:
    headers = response.headers
    announced = response.length
    body = b""
    if response.status == http.client.OK:
        if headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            raise NoAnswerError("the hub answered in an encoding that was not asked for")
        body = _body(response, announced, clock)
        if announced is not None and len(body) != announced:
            raise http.client.IncompleteRead(body)
    error, wait = (headers.get(name, "").strip() for name in ("X-Error-Code", "Retry-After"))
    return Answer(response.status, error, headers.get("Location"), wait, body)


def _body(response: Any, announced: int | None, clock: Clock) -> bytes:
    """The body, as long as it is no longer than a config may be; what is announced as longer is not begun."""
    try:
        content.refuse_larger(announced or 0, "what the hub answered")
        pieces, size = [], 0
        while piece := response.read1(PIECE):
            pieces.append(piece)
            size += len(piece)
            content.refuse_larger(size, "what the hub answered")
            _ = clock.left
    except ConfigError as error:
        raise NoAnswerError(str(error).removesuffix(".")) from None
    return b"".join(pieces)


def _unreachable(reason: object) -> str:
    if isinstance(reason, TimeoutError):
        return "the hub did not answer in time; try again later"
    import ssl

    if isinstance(reason, ssl.SSLCertVerificationError):
        return "the hub's certificate cannot be verified; name the authorities' file in SSL_CERT_FILE"
    why = f" ({reason.strerror})" if isinstance(reason, OSError) and reason.strerror else ""
    return f"the hub cannot be reached{why}; connect to it, set HF_HUB_OFFLINE=1 for what its client has fetched before, \
or give the path of a config.json"


def _opener(clock: Clock) -> urllib.request.OpenerDirector:
    """What opens http and https and nothing else, through the proxies of the environment; redirects are its caller's."""
    opener = urllib.request.OpenerDirector()
    for handler in (urllib.request.ProxyHandler(), _Plain(clock.sockets), _Secure(clock.sockets)):
        opener.add_handler(handler)
    return opener


class _Plain(urllib.request.HTTPHandler):
    """http, with its sockets remembered."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        super().__init__()
        self.sockets = sockets

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_remembering(http.client.HTTPConnection, self.sockets), req)


class _Secure(urllib.request.AbstractHTTPHandler):
    """https likewise; the authorities are the system's, and certifi's where that is installed. Read only when it is used."""

    def __init__(self, sockets: list[socket.socket]) -> None:
        super().__init__()
        self.sockets = sockets

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(_remembering(http.client.HTTPSConnection, self.sockets), req, context=_trusted())

    https_request = urllib.request.AbstractHTTPHandler.do_request_


def _remembering(kind: type[http.client.HTTPConnection], sockets: list[socket.socket]) -> Callable[..., Any]:
    class Remembering(kind):  # type: ignore[misc,valid-type] # which of two it is, is chosen at run time
        def connect(self) -> None:
            super().connect()
            sockets.append(self.sock)

    return Remembering


def _trusted() -> Any:
    import ssl

    context = ssl.create_default_context()
    try:
        import certifi
    except ImportError:
        return context
    context.load_verify_locations(certifi.where())
    return context
