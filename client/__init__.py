"""The clients: what a player sees and does. They know the protocol, and no rule of any game.

Floors, each of which imports those below it: the front ends (terminal, window, plain, trace, dog); bot; replay; start;
playing; shown and kept; conversation. `web` is the page, in JavaScript, with the same parts under the same names.
"""
