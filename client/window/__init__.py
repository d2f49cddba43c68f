"""The window: a client on pygame-ce, as thin as the terminal's. What is where is pure; only
the loop, `drawing` and the sounds touch pygame.

Its floors, each knowing those below: the loop, the application, `screens`, their `parts`, `hands`, `drawing`.
"""

import os

# pygame greets on the console of whoever imports it.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "hide")
