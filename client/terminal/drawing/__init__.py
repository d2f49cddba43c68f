"""How things look in cells: the palette, the ground, text from outside, and boards as characters."""
