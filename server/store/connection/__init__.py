"""The way to Redis: its address, the links, all scripts in one pipeline, and errors of one kind."""
