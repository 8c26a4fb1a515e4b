"""The web server's entry point."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "training.settings")

application = get_wsgi_application()

from django.urls import get_resolver  # noqa: E402 (Django must be set up first)

from training.celery import app  # noqa: E402
from training.people.demo import refuse_in_production  # noqa: E402

refuse_in_production()
# Both are loaded on first use; the first visitor should not wait for them.
get_resolver().url_patterns  # noqa: B018
app.connection_for_write().transport  # noqa: B018
