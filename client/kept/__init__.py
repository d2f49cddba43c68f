"""What outlasts the program: identity, saved games, links. Imports the conversation."""
