"""The key of a paper: where the answers of a worksheet, a booklet or an exam stand."""

from __future__ import annotations

END, ONLY, NONE = KEYS = "end", "only", "none"  # behind the paper, without it, or not at all
