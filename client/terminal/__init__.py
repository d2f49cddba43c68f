"""The terminal client: prints the scene and the model, and turns keys and the mouse into controls."""
