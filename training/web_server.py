"""gunicorn's settings: `gunicorn -c python:training.web_server training.wsgi`."""

import os

from training import logs

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
timeout = 30
graceful_timeout = 5
control_socket_disable = True  # it would be made in the home directory
logconfig_dict = logs.config(readable=os.environ.get("SABOT_MODE") == "demo")
logconfig_dict["loggers"]["gunicorn.error"] = {"level": "INFO", "handlers": [], "propagate": True}
