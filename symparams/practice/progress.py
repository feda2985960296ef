"""Progress: the log of a learner's answers, a file that only ever grows, a line for each.

The first line is ``{"symparams_progress": 1}``, then one of ``{"at": "2026-11-21T09:00:00Z", "kind": "attention.qkv", "model":
"gpt2", "form": "symbolic", "rating": 2, "mistake": "no-bias", "bank": "2026-11-22"}`` for each answer; ``"instead": true``
says that it stands for the answer of the same moment and kind. Unknown keys and kinds are kept and ignored. Nothing is ever
rewritten: a line that cannot be read is named, skipped, and left where it is.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from symparams.errors import SymparamsError, quoted
from symparams.practice.kind import EDITION
from symparams.records import frozen

VARIABLE = "SYMPARAMS_PROGRESS"
MARK, VERSION = "symparams_progress", 1
AGAIN, HARD, GOOD, EASY = RATINGS = 1, 2, 3, 4
LAST_YEAR = 3000  # beyond it nothing can be due
HEAD = json.dumps({MARK: VERSION}).encode() + b"\n"


class ProgressError(SymparamsError):
    """A file that holds no progress, or that of a newer version: nothing is written to it."""


@frozen
class Review:
    """An answer: when, to which kind of question on which model in which form, and how well."""

    at: datetime
    kind: str
    model: str
    form: str
    rating: int
    mistake: str = ""
    instead: bool = False

    @property
    def line(self) -> bytes:
        """The line of the log."""
        record: dict[str, Any] = {"at": self.at.strftime("%Y-%m-%dT%H:%M:%SZ"), "kind": self.kind, "model": self.model}
        record |= {"form": self.form, "rating": self.rating}
        record |= ({"mistake": self.mistake} if self.mistake else {}) | ({"instead": True} if self.instead else {})
        return json.dumps(record | {"bank": EDITION}, ensure_ascii=False).encode() + b"\n"


@frozen
class Log:
    """The content of a file: its reviews in the order of the file, and the numbers of its damaged lines."""

    path: Path
    reviews: tuple[Review, ...] = ()
    damaged: tuple[int, ...] = ()

    def until(self, moment: datetime) -> Log:
        """Return the log without what a wrong clock dated more than a day later: its cards would never be due."""
        latest = moment + timedelta(days=1)
        return replace(self, reviews=tuple(review for review in self.reviews if review.at <= latest))

    @property
    def settled(self) -> tuple[Review, ...]:
        """The reviews in the order of time, each that stands for another in its place."""
        reviews: list[Review] = []
        last: dict[tuple[datetime, str], int] = {}
        for review in self.reviews:
            key = (review.at, review.kind)
            if review.instead and key in last:
                reviews[last[key]] = review
            else:
                last[key] = len(reviews)
                reviews.append(review)
        return tuple(sorted(reviews, key=lambda review: review.at))


@dataclass
class Progress:
    """A progress file: read once, then a line is added for each answer. ``failure`` is why nothing more can be written."""

    path: Path
    failure: str = field(default="", init=False)

    def read(self) -> Log:
        """Return the log of the file, empty if it is missing; ProgressError for another file or a newer version."""
        try:
            content = _content(self.path)
        except FileNotFoundError:
            return Log(self.path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "no file can be called so"
            raise ProgressError(f"Cannot read {quoted(self.path)}: {reason}. Give another file with --progress.") from None
        return parsed(content, self.path)

    def add(self, review: Review) -> bool:
        """Write a review behind all others, in one piece; whether it is there. ``failure`` says why it is not."""
        if self.failure:
            return False
        try:
            _add(self.path, review.line)
        except OSError as error:
            self.failure = error.strerror or type(error).__name__
        return not self.failure


def place(given: str, environment: Mapping[str, str]) -> Path | None:
    """Return the path of the progress file: the given one, the environment's, or the one in the user's data folder.

    None without the package that knows where that folder is, of the extra ``symparams[practice]``; ProgressError where the
    system knows of no home.
    """
    named = given or environment.get(VARIABLE, "")
    if named:
        return _at_home(Path(named))
    try:
        import platformdirs
    except ImportError:
        return None
    return _at_home(Path(platformdirs.user_data_path("symparams")) / "progress.jsonl")


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:
        raise ProgressError(
            f"The system knows no home for {quoted(path)}: write the whole path, --progress /path/to/progress.jsonl."
        ) from None


def _content(path: Path) -> bytes:
    """The bytes of a file; of a device there are none that were ever written, and a pipe would keep them waiting."""
    kind = path.stat().st_mode
    if stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind):
        raise OSError(0, "It is not a file")
    return b"" if stat.S_ISCHR(kind) else path.read_bytes().removeprefix(codecs.BOM_UTF8)


def parsed(content: bytes, path: Path) -> Log:
    """The log that a file's bytes are; ProgressError where they are none, or one of a newer version."""
    first, *others = content.split(b"\n") if content else [b""]
    reviews: list[Review] = []
    damaged = [] if not content or _is_head(first, path) else [1]
    for number, line in enumerate(others, 2):
        review = _review(line)
        reviews += [review] if review is not None else []
        damaged += [number] if review is None and line.strip() else []
    if damaged[:1] == [1] and not reviews and not HEAD.startswith(first + b"\n"[: len(others)]):
        raise ProgressError(f"{quoted(path)} is not a progress file: move it away or give --progress FILE.")
    return Log(path, tuple(reviews), tuple(damaged))


def _is_head(line: bytes, path: Path) -> bool:
    version = _loaded(line).get(MARK, 0)
    if type(version) is not int or version > VERSION:
        raise ProgressError(
            f"{quoted(path)} is of version {quoted(version)}, and this symparams reads {VERSION}: "
            "move it away or give --progress FILE."
        )
    return version == VERSION


def _review(line: bytes) -> Review | None:
    record = _loaded(line)
    at, kind, model, form = (record.get(key) for key in ("at", "kind", "model", "form"))
    rating = record.get("rating")
    if not (isinstance(at, str) and isinstance(kind, str) and isinstance(model, str) and isinstance(form, str)):
        return None
    moment = _moment(at)
    if moment is None or not isinstance(rating, int) or isinstance(rating, bool) or rating not in RATINGS:
        return None
    return Review(moment, kind, model, form, rating, str(record.get("mistake", "")), record.get("instead") is True)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.year < LAST_YEAR else None


def _loaded(line: bytes) -> Mapping[str, Any]:
    try:
        record = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):  # also what is not UTF-8
        return {}
    return record if isinstance(record, dict) else {}


def _add(path: Path, line: bytes) -> None:
    """One write of one line, behind whatever is there; a last line that was cut off is ended first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    _refuse_read_only(path)
    descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with _locked(descriptor):
            size = os.fstat(descriptor).st_size
            if size:
                os.lseek(descriptor, size - 1, os.SEEK_SET)
            start = HEAD if not size else b"" if os.read(descriptor, 1) == b"\n" else b"\n"
            _write(descriptor, start + line)
    finally:
        os.close(descriptor)


def _write(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


def _refuse_read_only(path: Path) -> None:
    """PermissionError for a file that is not to be written, also for whoever may write everything."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_IMODE(path.stat().st_mode) & 0o222:
            raise PermissionError(13, os.strerror(13), str(path))


@contextlib.contextmanager
def _locked(descriptor: int) -> Iterator[None]:
    """While nobody else writes to the file; where the system has no such lock, appending in one piece has to be enough."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with contextlib.suppress(OSError):  # a file system of a network may have none
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield  # closing the file unlocks it


def now() -> datetime:
    """This moment, to the second, as the log has it."""
    return datetime.now(UTC).replace(microsecond=0)


def days(between: timedelta) -> int:
    """Return the whole days, at least one."""
    return max(1, round(between / timedelta(days=1)))
