"""Where matches live: an append-only log for each, and the few indexes that find them. One adapter: Redis."""
