"""Hypothesis draws anew on each run of a user's; in CI it draws the same every time. No test is about seconds."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("user", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "user")
