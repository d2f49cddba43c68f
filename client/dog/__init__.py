"""DOG's interface over Parlour: what a student's game imports instead of its `dog` folder.

    from client.dog import DogActor, DogPlayerInterface, StartStatus

The same methods, strings and codes. Where the `game.id` file holds the name of a game of the server's catalogue
(`ultimate-dots-and-boxes`), the server knows the rules and the WebSocket session carries the match; any other text is a
game of its own, and the server relays what its programs say. Moves come at once, a lost connection is come back from,
and callbacks come on the thread that the game chooses.
"""

from client.dog.actor import DogActor
from client.dog.interface import DogPlayerInterface, StartStatus
from client.dog.line import MoveRefused

__all__ = ["DogActor", "DogPlayerInterface", "MoveRefused", "StartStatus"]
