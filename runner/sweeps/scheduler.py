"""A Dask scheduler, as far as a sweep needs one: which workers there are, and one step at a time on each."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from distributed import Client, Future, wait
from distributed.client import FuturesCancelledError
from distributed.comm.addressing import get_address_host, parse_address
from distributed.comm.core import connect as open_comm
from distributed.security import Security

from runner.errors import RunnerError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

GPU, HOST = "GPU", "HOST"
"""The resources by which a worker offers to time CUDA programs, and CPU programs."""

OTHER_VERSION = "scheduler and workers must run in checkouts of the same version of Violet as this one, with its .venv"

_ENCRYPTED = ("tls", "wss")
_CONNECT_S = 10.0
_ANSWER_S = 60.0  # for a scheduler that is there, but does not answer
_CLOSE_S = 3.0
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
            RunnerError: the scheduler is gone, or does not answer.
        """
        self._check()
        if not (scheduler := self._client.scheduler):
            raise self._lost()
        try:
            # Not `scheduler_info`, which waits for ever, and returns what it knew before if it cannot ask.
            found = self._client.sync(scheduler.identity, n_workers=-1, callback_timeout=_ANSWER_S)
        except TimeoutError:
            raise self._lost("does not answer any more") from None
        except Exception:
            raise self._lost() from None
        workers = found["workers"]
        return {
            address: Offer(worker["local_directory"], worker["host"], _offered(worker["resources"]))
            for address, worker in workers.items()
        }

    def start(self, address: str, offer: Offer, function: Callable[..., Any], arguments: Sequence[Any]) -> Future[Any]:
        """Has one worker call a function, and nothing else meanwhile that needs what it offers."""
        return self._client.submit(
            function, *arguments, workers=[address], resources=dict.fromkeys(offer.resources, 1), pure=False
        )

    def wait(self, futures: Collection[Future[Any]]) -> None:
        """Returns as soon as one of some steps is done, or after a moment.

        Raises:
            RunnerError: the scheduler is gone.
        """
        self._check()
        if not futures:
            time.sleep(_POLL_S)
            return
        with suppress(TimeoutError):
            try:
                wait(futures, timeout=_POLL_S, return_when="FIRST_COMPLETED")
            except FuturesCancelledError:
                raise self._lost() from None

    def listen(self, topic: str) -> SimpleQueue[str]:
        """Returns where everything is put that workers send under a topic from now on."""
        heard: SimpleQueue[str] = SimpleQueue()
        self._client.subscribe_topic(topic, lambda event: heard.put(event[1]))
        return heard

    def _check(self) -> None:
        if self._client.status != "running":
            raise self._lost()

    def _lost(self, what: str = "is gone") -> RunnerError:
        return RunnerError(f"the scheduler at {self._address} {what}: give the same command to go on")


@contextmanager
def connect(address: str, *, insecure: bool = False) -> Iterator[Scheduler]:
    """Connects to a scheduler.

    Args:
        address: of the scheduler.
        insecure: whether others may reach it though it asks nobody for a certificate.

    Raises:
        RunnerError: there is none at this address, it cannot import this package, or others may reach it.
    """
    for logger in ("distributed", "distributed.client"):
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # what matters, we say ourselves
    try:
        if not insecure:
            require_private("scheduler", address)
        asyncio.run(_knock(address))
        client = Client(address, timeout=_CONNECT_S)
    except RunnerError:
        raise
    except Exception as error:  # of an address that is none, a protocol that this host cannot speak, ...
        reason = str(error).splitlines()[0] if str(error) else f"{type(error).__name__} after {_CONNECT_S:g} s"
        raise RunnerError(f"--dask: no scheduler answers at {address}: {reason}") from None
    try:
        if not insecure:
            require_private("scheduler", client.scheduler_info(n_workers=0)["address"])  # where it listens
        yield Scheduler(client, address)
    finally:
        # A client that has lost its scheduler can fail to close in ways of its own, which would hide that it is lost.
        try:
            client.close(timeout=_CLOSE_S)
        except Exception:
            client.status = "closed"  # else it would try again whenever it is collected, and print what it raises


def require_private(what: str, address: str) -> None:
    """Refuses what anybody may have run code: it listens beyond this machine, and not by TLS.

    Raises:
        RunnerError: it does.
        OSError: the address names no host.
    """
    protocol, _ = parse_address(address)
    hosts = {str(found[4][0]) for found in socket.getaddrinfo(get_address_host(address), None)}
    if protocol not in _ENCRYPTED and not all(ipaddress.ip_address(host).is_loopback for host in hosts):
        raise RunnerError(
            f"the {what} at {address} lets whoever reaches it run code as you: use TLS, as docs/how-to/clusters.md "
            "says, or --insecure if you trust all of its network"
        )


async def _knock(address: str) -> None:
    """Returns once a scheduler answers: a client would wait for ever for one that takes its call and is frozen.

    Raises:
        Exception: none answers, or the address is none.
    """
    credentials = Security().get_connection_args("client")
    comm = await asyncio.wait_for(open_comm(address, timeout=_CONNECT_S, **credentials), _CONNECT_S)
    await comm.close()


def explain(error: Exception) -> str:
    """Says in one line what went wrong with a step."""
    if isinstance(error, RunnerError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    if isinstance(error, (ImportError, AttributeError)) or "deserializ" in str(error):
        return OTHER_VERSION
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"


def _offered(resources: dict[str, float]) -> frozenset[str]:
    return frozenset(name for name in (GPU, HOST) if resources.get(name, 0) >= 1)
