"""What a hub does by itself: beats, notices from other hubs, deadlines, obligations, upkeep.

May import all of the hub; nothing in the hub imports it.
"""
