"""`parlour trace`: a client for developers that shows every frame, both ways, and sends what is typed."""
