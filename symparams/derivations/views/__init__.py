"""The views: the same leaves, grouped into steps as different authors group them.

One file a view. Its ``work`` takes the workings of a model and gives two lists of steps: the sections of the sheet, and
the steps among them that add up to the total.
"""
