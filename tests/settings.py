"""The platform's own settings, made quick and self-contained for tests."""

import atexit
import os
import shutil
import tempfile

from tests import shared

shared.directory()  # before the process of the run starts those that test
scratch = tempfile.mkdtemp(prefix="sabot-tests-")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)
os.environ.update(SABOT_MODE="demo", SABOT_VAR=scratch, SECRET_KEY="only for tests")
for name in ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "EMAIL_URL", "CELERY_QUEUE_PREFIX"):
    os.environ.pop(name, None)

from training.settings import *  # noqa: E402, F403
from training.settings import DATABASES, REST_FRAMEWORK, STORAGES  # noqa: E402

# A file, as in real life: threads of a test (live server, worker) then meet the locking that people meet.
DATABASES["default"]["TEST"] = {"NAME": f"{scratch}/test.sqlite3"}
DATABASES["default"]["CONN_MAX_AGE"] = 0
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
CELERY_BROKER_URL = "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.01}
# The live server finds static files by their plain names.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_AUTOREFRESH = True
# All tests ask from one address.
CHECK_RATE = 1_000_000
REST_FRAMEWORK = {**REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"anon": "1000000/min", "user": "300/min"}}
