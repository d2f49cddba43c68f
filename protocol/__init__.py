"""What a Parlour server and its clients agree on: messages, board language, errors, the player interface.

Nothing here does input or output, and nothing here imports the server or a client.
"""
