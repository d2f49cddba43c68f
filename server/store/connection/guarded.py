"""Where the client library's errors become ours: in whatever way a connection ends, it is one error."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from redis.exceptions import RedisError, ResponseError

from protocol.errors import StoreSilent, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")


class WrongType(StoreUnavailable):
    """A key holds something of another type than it should; nothing was done. See `server.store.aside`."""


def unavailable(error: BaseException) -> StoreUnavailable:
    """Our error for one of the client library: whether Redis has refused or said nothing."""
    if isinstance(error, ResponseError) and "WRONGTYPE" in str(error):
        return WrongType(str(error))
    kind = StoreUnavailable if isinstance(error, ResponseError) else StoreSilent
    made = kind(f"{type(error).__name__}: {error}")
    made.__cause__ = error
    return made


@contextmanager
def one_error() -> Iterator[None]:
    """Turn every way in which a conversation with Redis can end into StoreUnavailable (`Q11`).

    Besides the library's own errors and those of sockets these are the end of the stream within an answer, uvloop's
    bare RuntimeError for a transport that has just been closed, and the cancellation of a task that the library runs
    for itself: it looks like one of ours, but nobody has cancelled us.
    """
    try:
        yield
    except (RedisError, OSError, TimeoutError, EOFError) as error:
        raise unavailable(error) from error
    except RuntimeError as error:
        if type(error) is not RuntimeError:
            raise  # RecursionError and the like are faults of a program.
        raise unavailable(error) from error
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise unavailable(error) from error


def guarded(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Turn whatever ends the conversation with Redis into StoreUnavailable."""

    @wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        with one_error():
            return await method(*args, **kwargs)

    return call
