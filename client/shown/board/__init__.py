"""The board as values: its shapes, as text, what lies under a point, a cursor over it, touches that become moves."""
