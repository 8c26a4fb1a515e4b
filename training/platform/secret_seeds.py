"""The seeds that scenarios and forms are made from. They are secret: who knows one knows the case before it is put."""

import secrets


def secret_seed() -> str:
    return secrets.token_hex(8)
