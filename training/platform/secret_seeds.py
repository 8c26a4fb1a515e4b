"""Seeds for scenarios and exam forms. They are secret: a seed reveals the case before it is asked."""

import secrets


def secret_seed() -> str:
    return secrets.token_hex(8)
