"""Drawings: a model as a picture. A tree is read as parts, the parts are measured and placed, and the marks that come of it
are written by a format: nothing there knows of models, nothing here of SVG or TikZ.
"""
