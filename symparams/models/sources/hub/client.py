"""A client that reads one small file of the hub, bounded in bytes, in seconds and in redirects.

The connection is that of huggingface_hub, httpx2: its proxies, its authorities, its rule that a token does not follow a
redirect to another host. ``hf_hub_download`` itself cannot hold the bounds, whatever client it is given: it waits for as long
as a server's Retry-After says, reads an error's body to the end, gives each piece of a body a time but not the whole, and may
hand the file over to hf_xet, which has a client of its own; and the client that it takes is that of the whole process.
"""

from __future__ import annotations

import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

import httpx2

from symparams.errors import quoted
from symparams.models.sources import content
from symparams.records import frozen

MOST_REDIRECTS = 5
WAITS = (0.5, 1.0, 2.0)  # seconds before each further attempt, where the hub names none
BUSY = frozenset({429, 500, 502, 503, 504})
LATE = "the hub did not answer in time; try again later"


class NoAnswerError(Exception):
    """There is no answer to speak of; the text says why, as the end of a sentence."""


@frozen
class HubResponse:
    """An answer: its status, the hub's code of an error, how long the hub wants to be left alone, the body of a success.

    ``size`` is that of the whole file, of which the body may be a part.
    """

    status: int
    error: str
    wait: str
    body: bytes
    size: int = 0


def get(
    address: str, token: Callable[[], str | None], seconds: float, part: range | None = None, largest: int = content.LARGEST
) -> HubResponse:
    """Return the hub's answer, or raise NoAnswerError within so many seconds, whatever stalls; a busy hub is asked again.

    A ``part`` are the bytes of the file that are asked for; of a longer answer no more are read. Without one the file has at
    most the ``largest`` number of bytes. A timeout of httpx2 holds for each piece of an answer. The whole has a thread, whose
    sockets are shut at the deadline.
    """
    answer: Future[HubResponse] = Future()
    exchange = _Exchange(address, time.monotonic() + seconds, [], part, largest)

    def run() -> None:
        try:
            answer.set_result(exchange.run(token()))
        except BaseException as error:  # noqa: BLE001 - it is raised below, in the thread that waits for it
            answer.set_exception(error)

    threading.Thread(target=run, name="hub", daemon=True).start()
    try:
        return answer.result(timeout=seconds)
    except TimeoutError:
        raise NoAnswerError(f"the hub did not answer within {seconds:g} seconds; try again later") from None
    finally:
        for opened in exchange.sockets:
            with contextlib.suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)


@frozen
class _Exchange:
    """Requests of one address until the deadline, by the monotonic clock, and the sockets that were opened for them."""

    address: str
    end: float
    sockets: list[socket.socket]
    part: range | None
    largest: int

    @property
    def seconds_left(self) -> float:
        seconds = self.end - time.monotonic()
        if seconds <= 0:
            raise NoAnswerError(LATE)
        return seconds

    def run(self, token: str | None) -> HubResponse:
        """Return the answer; NoAnswerError says what the server did in place of one."""
        try:
            client = httpx2.Client(timeout=self.seconds_left)
        except (httpx2.InvalidURL, ImportError, OSError, ValueError) as error:
            raise NoAnswerError(
                f"the hub cannot be reached ({error}); check the proxy and SSL_CERT_FILE in the environment"
            ) from None
        try:
            with client:
                for wait in WAITS:
                    answer = self.follow(client, token)
                    pause = float(answer.wait) if re.fullmatch(r"[0-9]{1,4}", answer.wait) else wait
                    if answer.status not in BUSY or pause >= self.seconds_left:
                        return answer
                    time.sleep(pause)
                return self.follow(client, token)
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol):
            raise NoAnswerError(
                f"{quoted(self.address)} is not an address; set HF_ENDPOINT to https://HOST, or leave it out"
            ) from None
        except httpx2.TimeoutException:
            raise NoAnswerError(LATE) from None
        except (httpx2.ConnectError, httpx2.ProxyError) as error:
            raise NoAnswerError(_unreachable(error)) from None
        except (httpx2.HTTPError, OSError, ValueError):
            raise NoAnswerError("the hub's answer was cut short or is not HTTP; try again later") from None

    def follow(self, client: httpx2.Client, token: str | None) -> HubResponse:
        """Return the answer behind the redirects, whose own bodies are not read."""
        headers = {"User-Agent": "symparams", "Accept-Encoding": "identity"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if self.part:
            headers["Range"] = f"bytes={self.part[0]}-{self.part[-1]}"
        request = client.build_request("GET", self.address, headers=headers, extensions={"trace": self.remember})
        scheme = request.url.scheme
        for _ in range(MOST_REDIRECTS + 1):
            with contextlib.closing(client.send(request, stream=True)) as response:
                if response.next_request is None:
                    return self.read(response)
                request = response.next_request
            if request.url.scheme != scheme:
                raise NoAnswerError("the hub redirects from http to https or to another scheme; set HF_ENDPOINT to its address")
        raise NoAnswerError(f"the hub redirects more than {MOST_REDIRECTS} times")

    def read(self, response: httpx2.Response) -> HubResponse:
        """Return what an answer says; the body of a success alone is read, as far as its file may reach."""
        headers, body, size = response.headers, bytearray(), 0
        is_part = self.part is not None and response.status_code == httpx2.codes.PARTIAL_CONTENT
        if response.status_code == httpx2.codes.OK or is_part:
            if headers.get("Content-Encoding", "identity").strip().lower() != "identity":
                raise NoAnswerError("the hub answered in an encoding that was not requested")
            size = int(headers.get("Content-Length", 0))
            if is_part:
                size = self.size_of(headers.get("Content-Range", ""))
            if self.part is None:
                self.refuse_larger(size)
            for piece in response.iter_raw():
                body += piece
                if self.part is None:
                    self.refuse_larger(len(body))
                elif len(body) >= len(self.part):
                    break
        error, wait = (headers.get(name, "").strip() for name in ("X-Error-Code", "Retry-After"))
        return HubResponse(response.status_code, error, wait, bytes(body[: len(self.part)] if self.part else body), size)

    def size_of(self, part: str) -> int:
        """Return the size of the file of which an answer is a part; NoAnswerError if it is another part than was asked for."""
        assert self.part is not None
        found = re.fullmatch(r"bytes ([0-9]{1,19})-([0-9]{1,19})/([0-9]{1,19})", part.strip())
        if not found or int(found[1]) != self.part[0]:
            raise NoAnswerError("the hub answered with another part of the file than was requested")
        return int(found[3])

    def refuse_larger(self, size: int) -> None:
        """NoAnswerError for more bytes than the file may have."""
        if size > self.largest:
            what = "a config.json" if self.largest == content.LARGEST else "a list of tensors"
            raise NoAnswerError(f"the hub's answer has more than {self.largest:,} bytes: that is not {what}")

    def remember(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep each socket that httpx2 opens, as it is traced."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self.sockets.append(info["return_value"].get_extra_info("socket"))


def _unreachable(error: BaseException) -> str:
    import ssl

    while cause := error.__cause__ or error.__context__:
        error = cause
    if isinstance(error, ssl.SSLCertVerificationError):
        return "the hub's certificate cannot be verified; name the authorities' file in SSL_CERT_FILE"
    why = f" ({error.strerror})" if isinstance(error, OSError) and error.strerror else ""
    return f"the hub cannot be reached{why}; connect to it, set HF_HUB_OFFLINE=1 for what its client has fetched before, \
or give the path of a file"
