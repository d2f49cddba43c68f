"""What a person sees, as values: the model, the board's shapes, words and controls. Imports the conversation."""
