"""What hands do: keys, clicks, drags and fingers as inputs, what they are at, and a field for what is typed. Pure."""
