"""The API for certificates, results and the roster, built like `training.api`."""
