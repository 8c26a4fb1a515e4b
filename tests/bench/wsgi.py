"""The platform as it is served, with the yardsticks among its addresses."""

from training import settings

settings.ROOT_URLCONF = "tests.bench.urls"

from training.wsgi import application  # noqa: E402

__all__ = ["application"]
