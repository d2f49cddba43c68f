"""The window: a client on pygame-ce, as thin as the terminal's. What is where is pure; only the loop touches pygame."""

import os

# pygame greets on the console of whoever imports it.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "hide")
