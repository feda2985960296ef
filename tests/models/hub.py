"""A hub of our own on this machine, which answers each request with the bytes that a test gives it, as slowly as it likes."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator

Connection = socket.socket
Behaviour = Callable[[Connection, str], None]

CONFIG = b"""{"model_type": "bert", "architectures": ["BertModel"], "vocab_size": 30522, "hidden_size": 768,
"num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072, "max_position_embeddings": 512,
"type_vocab_size": 2}"""
COUNT = 109_482_240


def response(status: int = 200, body: bytes = CONFIG, *headers: str, length: int | None = None) -> bytes:
    """An answer in bytes, with its length unless another one is claimed."""
    lines = [f"HTTP/1.1 {status} whatever", f"Content-Length: {len(body) if length is None else length}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def says(*answers: bytes) -> Behaviour:
    """Each request is given the next of these answers, and from then on the last."""
    left = list(answers)

    def behave(connection: Connection, _: str) -> None:
        connection.sendall(left.pop(0) if len(left) > 1 else left[0])

    return behave


def trickles(start: bytes, rest: bytes, pause: float = 1.0) -> Behaviour:
    """What stands at the start is sent at once, then a byte each second."""

    def behave(connection: Connection, _: str) -> None:
        connection.sendall(start)
        for byte in rest:
            time.sleep(pause)
            connection.sendall(bytes([byte]))

    return behave


def pours(start: bytes, piece: bytes) -> Behaviour:
    """After the start one piece is sent for ever, as long as anybody reads."""

    def behave(connection: Connection, _: str) -> None:
        connection.sendall(start)
        while True:
            connection.sendall(piece)

    return behave


class Hub:
    """A server on the loopback; ``asked`` are the requests that it was sent, head by head."""

    def __init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.asked: list[str] = []
        self.behaviour: Behaviour = says(response())
        self.server = threading.Thread(target=self._serve, daemon=True)
        self.server.start()

    def close(self) -> None:
        """Stop, and only then give the socket back: a thread that still waits on it would answer for the next test's hub."""
        self.socket.shutdown(socket.SHUT_RDWR)
        self.server.join()
        self.socket.close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.socket.getsockname()[1]}"

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                threading.Thread(target=self._answer, args=(connection,), daemon=True).start()

    def _answer(self, connection: Connection) -> None:
        with connection, contextlib.suppress(OSError):
            head = b""
            while b"\r\n\r\n" not in head and (piece := connection.recv(65536)):
                head += piece
            self.asked.append(head.decode("latin-1"))
            self.behaviour(connection, head.decode("latin-1"))
            connection.shutdown(socket.SHUT_WR)


@contextlib.contextmanager
def serving() -> Iterator[Hub]:
    hub = Hub()
    try:
        yield hub
    finally:
        hub.close()
