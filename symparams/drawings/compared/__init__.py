"""Compared: two or three models side by side, the blocks that stand for one another at one height, what differs marked."""
