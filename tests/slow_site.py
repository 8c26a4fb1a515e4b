"""The site with a page that takes as long as one likes, for tests that stop the web server meanwhile."""

import os
import time
from collections.abc import Callable, Iterable
from typing import Any

from training.wsgi import application as site


def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """`/slow?3` answers after three seconds with the id of the parent process."""
    if environ["PATH_INFO"] != "/slow":
        return site(environ, start_response)
    time.sleep(float(environ["QUERY_STRING"]))
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [str(os.getppid()).encode()]
