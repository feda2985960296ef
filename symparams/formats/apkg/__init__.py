"""APKG: flash cards as a deck that Anki takes in."""

ENDINGS = (".apkg",)  # of its files
