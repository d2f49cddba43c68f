"""The hub: connections, sessions, fan-out, lobby, deadlines; all the asyncio there is around the pure match."""
