"""Whoever is connected, seen from below, and the frames that many of them share.

May import `limits`.
"""
