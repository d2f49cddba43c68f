"""The hub: all the asyncio there is around the pure match. A command's way leads down through its floors.

`background`, `connections`, `service` (the one way in), `matchmaking`, `presence`, `rooms`, `viewers`, `limits` beside
`concurrency`, and `metrics` (what an operator can see). Each imports only what lies below.
"""
