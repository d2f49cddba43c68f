"""A bot for any game at any Parlour hub: it waits for an opponent and plays legal moves at random.

    python bot.py ws://localhost:7878/ws checkers

It needs `pip install websockets` and nothing of Parlour's. docs/protocol.md describes every message.
"""

import asyncio
import itertools
import json
import random
import sys

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

refs = itertools.count(1)


async def send(hub, kind, **fields):
    """Every command has a ref of our own choice, which comes back in its answer."""
    await hub.send(json.dumps({"type": kind, "ref": f"bot-{next(refs)}", **fields}))


async def play(address, game):
    """One match to its end, over lost connections, too; returns the sentence that announces the result."""
    token, seats = None, []
    async for hub in connect(address, subprotocols=["parlour.v1.json"]):
        try:
            await send(hub, "hello", name="Bot", rename=True, token=token)
            async for data in hub:
                told = json.loads(data)
                match told["type"]:
                    case "welcome":
                        token = told["token"] or token  # it brings us back after a lost connection
                        if told["matches"]:
                            await send(hub, "watch", match=told["matches"][0])
                        else:
                            await send(hub, "quick_match", game=game)
                    case "snapshot" | "ended" if told["result"]:
                        return told["result"]["text"]
                    case "snapshot":  # the whole match, as we may see it
                        seats = told["you"]
                        if told["status"] == "playing" and told["to_move"] in seats and told["legal"]:
                            await asyncio.sleep(0.05)  # a hub takes some 30 moves a second of one player
                            move = random.choice(told["legal"])
                            await send(hub, "move", match=told["match"], version=told["version"], move=move)
                    case "joined" | "moved" if told.get("to_move") in (None, *seats):  # perhaps it is our turn
                        await send(hub, "watch", match=told["match"])
                    case "refused" if told["code"] in ("busy", "unavailable", "unknown_outcome"):
                        await asyncio.sleep(1)
                        break  # come back, and see what became of it
                    case "refused" if told["code"] not in ("stale", "not_your_turn", "paused"):
                        raise SystemExit(told["text"])
        except ConnectionClosed:
            continue


if __name__ == "__main__":
    print(asyncio.run(play(*sys.argv[1:3])))
