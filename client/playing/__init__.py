"""What a person does, as commands, and what becomes of the answers. Imports what is shown and kept."""
