"""How a package calls higher packages, which it must not import.

The lower package declares a hook in its `hooks.py`: a function with types and a docstring, decorated with the kind of
hook it is. Higher packages subscribe functions with the same parameters in their `AppConfig.ready`. Searching for
`hooks.<name>` finds the callers and the subscribers.

The caller waits for the subscribers: they run in its transaction, and what they raise reaches it.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from training.platform.pending import Owed
    from training.platform.sealing import Resealed

P = ParamSpec("P")
T = TypeVar("T")


class _Hook(Generic[P, T]):
    def __init__(self, declared: Callable[P, T]) -> None:
        self.declared = declared
        self.subscribers: list[Callable[P, T]] = []

    def subscribe(self, function: Callable[P, T]) -> None:
        if function not in self.subscribers:
            self.subscribers.append(function)


class Event(_Hook[P, None]):
    """Calls every subscriber."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        for subscriber in self.subscribers:
            subscriber(*args, **kwargs)


class OneAnswer(_Hook[P, T]):
    """Returns the first subscriber's answer, or the declaration's default."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return (*self.subscribers, self.declared)[0](*args, **kwargs)


class AllAnswers(_Hook[P, Iterable[T]]):
    """Yields everything that the declaration and the subscribers return, calling each when its turn comes."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        return chain.from_iterable(asked(*args, **kwargs) for asked in (self.declared, *self.subscribers))


@AllAnswers
def owed_work() -> "Iterable[Owed]":
    """The kinds of work that a package leaves to the queue. Called by the readiness page and the metrics."""
    return ()


@AllAnswers
def reseal_secrets() -> "Iterable[Resealed]":
    """Seal the package's secrets with the SECRET_KEY in use. Called by `sealing.reseal_all`, in no transaction."""
    return ()


@Event
def secrets_resealed(found: "list[Resealed]") -> None:
    """Called by `sealing.reseal_all` after every package has resealed its secrets, in no transaction."""
