"""`parlour-server admin`: what an operator asks of the store that hubs share, without going through any of them."""
