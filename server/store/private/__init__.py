"""The store that needs no set-up: a Redis or Valkey of the hub's own, as its child."""
