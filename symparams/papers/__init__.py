"""Papers: documents of others' in which what a command prints stands between markers and is kept current.

``documents`` reads a file and changes stretches of it, ``markers`` finds the blocks, ``kinds`` says how a kind of document
writes markers and what is set between them, ``embedding`` brings the blocks up to date.
"""
