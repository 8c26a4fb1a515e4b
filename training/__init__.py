"""The training platform: people, scenarios, practice; also the Django project (settings, urls, queue)."""

# Celery's `-A training` and shared tasks need the app to exist as soon as the package is imported.
from training.celery import app as celery

__all__ = ["celery"]
