"""What can be done: the table of controls, when each can be used, and moves that are not sent yet."""
