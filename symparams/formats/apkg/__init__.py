"""APKG: flash cards as a deck for Anki."""

ENDINGS = (".apkg",)  # of its files
