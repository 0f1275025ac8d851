"""A Dask scheduler, as far as a sweep needs one: which workers there are, and one step at a time on each."""

from __future__ import annotations

import logging
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from distributed import Client, Future, wait
from distributed.client import FuturesCancelledError

from runner.errors import RunnerError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

GPU, HOST = "GPU", "HOST"
"""The resources by which a worker offers to time CUDA programs, and CPU programs."""

_CONNECT_S = 10.0
_POLL_S = 0.25  # how soon a worker that came or went is noticed


@dataclass(frozen=True)
class Offer:
    """What a worker says of itself.

    Attributes:
        life: another one if a worker died and a new one took its address.
        host: what its address names.
        resources: which of `GPU` and `HOST` it offers.
    """

    life: str
    host: str
    resources: frozenset[str]


class Scheduler:
    """A connection to a scheduler."""

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address

    def offers(self) -> dict[str, Offer]:
        """Returns all workers by address.

        Raises:
            RunnerError: the scheduler is gone.
        """
        try:
            workers = self._client.scheduler_info(n_workers=-1)["workers"]
        except (OSError, TimeoutError, RuntimeError):
            raise self._lost() from None
        return {
            address: Offer(worker["local_directory"], worker["host"], _offered(worker["resources"]))
            for address, worker in workers.items()
        }

    def start(self, address: str, offer: Offer, function: Callable[..., Any], arguments: Sequence[Any]) -> Future[Any]:
        """Has one worker call a function, and nothing else meanwhile that needs what it offers."""
        return self._client.submit(
            function,
            *arguments,
            workers=[address],
            resources=dict.fromkeys(offer.resources, 1),
            pure=False,
        )

    def wait(self, futures: Collection[Future[Any]]) -> None:
        """Returns as soon as one of some steps is done, or after a moment.

        Raises:
            RunnerError: the scheduler is gone.
        """
        if self._client.status != "running":
            raise self._lost()
        if not futures:
            time.sleep(_POLL_S)
            return
        with suppress(TimeoutError):
            try:
                wait(futures, timeout=_POLL_S, return_when="FIRST_COMPLETED")
            except FuturesCancelledError:
                raise self._lost() from None

    def interrupt(self, addresses: Sequence[str], function: Callable[..., Any], *arguments: Any) -> None:
        """Has workers call a function at once, beside whatever they do; those that are gone cannot."""
        if self._client.status != "running":
            return  # who is lost tells nobody, and would try for `_CONNECT_S`
        with suppress(Exception):
            self._client.run(function, *arguments, workers=list(addresses), on_error="ignore")

    def _lost(self) -> RunnerError:
        return RunnerError(f"the scheduler at {self._address} is gone: give the same command to go on")


@contextmanager
def connect(address: str) -> Iterator[Scheduler]:
    """Connects to a scheduler.

    Raises:
        RunnerError: there is none at this address, or it cannot import this package.
    """
    for logger in ("distributed", "distributed.client"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # what matters, we say ourselves
    try:
        client = Client(address, timeout=_CONNECT_S)
    except (OSError, TimeoutError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise RunnerError(f"--dask: no scheduler answers at {address}: {reason}") from None
    try:
        yield Scheduler(client, address)
    finally:
        # A client that has lost its scheduler can fail to close in ways of its own, which would hide that it is lost.
        with suppress(Exception):
            client.close(timeout=_CONNECT_S)


def explain(error: Exception) -> str:
    """Says in one line what went wrong with a step."""
    if isinstance(error, RunnerError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, ImportError) or "deserializ" in str(error):
        return "scheduler and workers must run in a checkout of Violet, with its .venv"
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def _offered(resources: dict[str, float]) -> frozenset[str]:
    return frozenset(name for name in (GPU, HOST) if resources.get(name, 0) >= 1)
