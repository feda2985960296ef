"""``python -m symparams``: the command line."""

from symparams.cli import main

main()
