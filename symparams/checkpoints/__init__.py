"""Checkpoints: the names, shapes, number types and bytes of stored arrays, read without the weights, and laid over a tree's.

``reading.read`` takes a file, a folder or a repository of the hub, ``modules.build`` a torch module. No pickle is ever opened.
"""
