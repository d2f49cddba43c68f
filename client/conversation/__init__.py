"""The conversation with a server: what is said and heard, in order and once. Imports the protocol alone."""
