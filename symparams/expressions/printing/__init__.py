"""Printers: a written expression as text, as LaTeX, or in the plain grammar that ``--expr`` reads back; metrics: its width."""
