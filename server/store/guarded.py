"""Where the client library's errors become ours."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from redis.exceptions import RedisError, ResponseError

from protocol.errors import StoreSilent, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")


def unavailable(error: Exception) -> StoreUnavailable:
    """Our error for one of the client library: whether Redis has refused or said nothing."""
    kind = StoreUnavailable if isinstance(error, ResponseError) else StoreSilent
    return kind(f"{type(error).__name__}: {error}")


def guarded(method: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Turn the client library's errors into StoreUnavailable."""

    @wraps(method)
    async def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return await method(*args, **kwargs)
        except (RedisError, OSError, TimeoutError) as error:
            raise unavailable(error) from error

    return call
