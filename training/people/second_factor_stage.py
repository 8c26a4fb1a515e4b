"""The step of the second factor at the sign-in, which the directory can do instead."""

from allauth.mfa.stages import AuthenticateStage
from django.http import HttpRequest

from training.people import sign_on


class AuthenticateUnlessDone(AuthenticateStage):  # type: ignore[misc]  # the library has no types
    """Skipped only if the provider asserted a second factor at this very sign-in."""

    def _should_handle(self, request: HttpRequest) -> bool:
        proof = sign_on.proof_of(request, self.login.user) if getattr(request, "from_directory", False) else None
        if proof is not None and proof.second_factor:
            return False
        return bool(super()._should_handle(request))
