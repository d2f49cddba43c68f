"""The terminal client: prints the scene and the model, and turns keys and the mouse into controls.

Its floors, each knowing those below: the application, `switching` between screens, `screens`, their `parts`, `drawing`.
"""
