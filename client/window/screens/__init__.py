"""The screens: what is seen, and what follows from an input, as intents. Pure."""
