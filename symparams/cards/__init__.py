"""Flash cards: the questions of the bank, and a model's derivation with gaps, as notes for Anki and as a table."""
