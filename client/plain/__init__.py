"""`parlour --plain`: the client as plain lines, for screen readers, dumb terminals and pipes."""
