"""A broker that hears and says nothing: between a program and a real one, until it is told to be silent."""

import contextlib
import selectors
import socket
import threading
from types import TracebackType


class Hush:
    """A TCP proxy on a port of its own. Silent, it takes what comes and passes nothing on, and accepts newcomers."""

    def __init__(self, host: str, port: int) -> None:
        self.target = (host, port)
        self.silent = False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ, None)
        self.ends = False
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Hush":
        self.thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.ends = True
        self.thread.join()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        self.selector.close()

    def _run(self) -> None:
        while not self.ends:
            for key, _ in self.selector.select(0.05):
                if key.data is None:
                    self._accept()
                elif isinstance(key.fileobj, socket.socket):
                    self._carry(key.fileobj, key.data)

    def _accept(self) -> None:
        near, _ = self.listener.accept()
        far = socket.create_connection(self.target)
        self.selector.register(near, selectors.EVENT_READ, far)
        self.selector.register(far, selectors.EVENT_READ, near)

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            data = source.recv(65536)
            if data:
                if not self.silent:
                    target.sendall(data)
                return
        for end in (source, target):
            with contextlib.suppress(KeyError):
                self.selector.unregister(end)
            end.close()
