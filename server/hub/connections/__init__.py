"""Sockets: the handshake and origins, frames in and out, a bound for whatever waits to be written.

May import the service and what lies below; only background work lies above.
"""
