"""Where the client library's errors become ours."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from redis.exceptions import RedisError

from protocol.errors import StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")


def guarded(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Turn the client library's errors into StoreUnavailable."""

    @wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await method(*args, **kwargs)
        except (RedisError, OSError, TimeoutError) as error:
            raise StoreUnavailable(f"{type(error).__name__}: {error}") from error

    return call
