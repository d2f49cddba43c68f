"""The clients: what a player sees and does. They know the protocol, and no rule of any game."""
