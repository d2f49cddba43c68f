"""What screens are made of: the board, seats, cards, rows, prompts, bars and panels, each a widget."""
