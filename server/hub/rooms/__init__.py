"""Matches in memory: loading, commits, following logs; how matches are listed, and what is said in them.

May import `viewers` and what lies below.
"""
