"""How passwords are stored."""

from django.contrib.auth import hashers

from training.people.models import User


class Argon2id(hashers.Argon2PasswordHasher):
    """Argon2id with the smallest parameters that OWASP recommends: 22 ms of a core and 19 MiB for each password.

    Django's own (100 MiB, eight threads) take 205 ms, and a room of 300 signs in at once.
    """

    time_cost = 2
    memory_cost = 19 * 1024  # KiB
    parallelism = 1


def upgrade(user: User, password: str) -> None:
    """Store the password that was just checked in the present way, if it was stored in an earlier one.

    Only at the sign-in: it ends the other sessions of this person, as a new password does.
    """
    present = hashers.get_hasher()
    if hashers.identify_hasher(user.password).algorithm != present.algorithm or present.must_update(user.password):
        user.set_password(password)
        user.save(update_fields=["password"])
