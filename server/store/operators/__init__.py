"""What an operator asks of the store: durability, rights, figures, backups."""
