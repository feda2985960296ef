"""The sheet of a budget: what an engineer plans with, on one page."""
