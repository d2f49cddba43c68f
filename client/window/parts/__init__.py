"""What screens are made of: the board, panels, rows and cards, each as shapes and targets. Pure."""
