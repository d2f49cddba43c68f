"""One contest between two seats, for any game: a pure state machine over an append-only log of events.

No clock, no socket, no store: the time is an argument, and what happens is returned as values.
"""
