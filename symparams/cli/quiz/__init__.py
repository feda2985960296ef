"""The quiz: its conversation, a turn of it, what it says, and the streams on which it says and hears that."""
