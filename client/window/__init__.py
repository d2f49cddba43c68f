"""The window: a client on pygame-ce, as thin as the terminal's. What is where is pure; only the loop touches pygame."""
