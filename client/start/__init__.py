"""What starts things: a hub, the way into a match, the lines of a terminal. Front ends stand on it."""
