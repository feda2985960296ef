"""``python -m tests.fuzz --seconds 120 [--seed N] [--found FOLDER] [TARGET …]``: exit code 1 where something was found."""

from __future__ import annotations

import argparse
import secrets
import sys
from pathlib import Path

from tests.fuzz.hunt import FOUND, hunt_all
from tests.fuzz.targets import TARGETS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all where none is named")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--found", type=Path, default=FOUND, help="the folder for what is found")
    chosen = parser.parse_args()
    targets = {name: TARGETS[name] for name in chosen.targets or TARGETS}
    return 1 if hunt_all(targets, chosen.seed, chosen.seconds, chosen.found) else 0


sys.exit(main())
