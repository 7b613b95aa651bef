"""A cache for one process, for values that cost more to make than to keep."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock


class LRU[Value]:
    """The most recently used values, at most `size` of them."""

    def __init__(self, size: int):
        self.size = size
        self.values: OrderedDict[Hashable, Value] = OrderedDict()
        self.lock = Lock()
        self.cleared = 0  # times

    def find(self, key: Hashable) -> Value | None:
        """The value; None if there is none."""
        with self.lock:
            if key in self.values:
                self.values.move_to_end(key)
            return self.values.get(key)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value; made and kept if there is none."""
        value = self.find(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def put(self, key: Hashable, value: Value) -> None:
        with self.lock:
            self.values[key] = value
            self.values.move_to_end(key)
            while len(self.values) > self.size:
                self.values.popitem(last=False)

    def clear(self) -> None:
        with self.lock:
            self.values.clear()
            self.cleared += 1
