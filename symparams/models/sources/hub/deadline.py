"""A deadline for a conversation over the net, whatever stalls in it: the name's lookup, a header, a body of a byte a second."""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from symparams.models.sources.hub.client import Clock, NoAnswerError

T = TypeVar("T")


def within(seconds: float, work: Callable[[Clock], T]) -> T:
    """What ``work`` returns, or its error; NoAnswerError where that takes longer. Its sockets are shut then.

    A timeout of a socket holds for each byte; for all of them somebody else has to look at the clock.
    """
    clock = Clock(time.monotonic() + seconds, [])
    answers: queue.SimpleQueue[tuple[T | None, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put((work(clock), None))
        except BaseException as error:  # noqa: BLE001 - it is raised below, in the thread that waits for it
            answers.put((None, error))

    threading.Thread(target=run, name="hub", daemon=True).start()
    try:
        value, error = answers.get(timeout=seconds)
    except queue.Empty:
        raise NoAnswerError(f"the hub did not answer within {seconds:g} seconds; try again later") from None
    finally:
        for each in clock.sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
    if error is not None:
        raise error
    return value  # type: ignore[return-value] # it is None only beside an error
