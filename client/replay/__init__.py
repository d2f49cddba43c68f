"""`parlour replay FILE`: a saved game, forwards and backwards."""
