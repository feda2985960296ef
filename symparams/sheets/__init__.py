"""Sheets: what is said, before any format. A derivation or an answer is composed into a document, one file for each kind."""
