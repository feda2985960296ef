"""The sheets of what a model costs beside its parameters: the whole one, and one page for a whiteboard."""
