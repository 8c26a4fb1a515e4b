"""The provider of the settings, for django-allauth, which finds this module by its name."""

from typing import Any

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from exams.sign_on import provider_documents
from training.people import sign_on


class DirectoryOAuth(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # the library has no types
    @property
    def openid_config(self) -> dict[str, Any]:
        return provider_documents.configuration()

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        return str(build_absolute_uri(request, reverse("sign_on_callback"), self.redirect_uri_protocol))


class DirectoryProvider(OpenIDConnectProvider):  # type: ignore[misc]  # the library has no types
    id = "directory"
    oauth2_adapter_class = DirectoryOAuth


class OnlyTheDirectory(DefaultSocialAccountAdapter):  # type: ignore[misc]  # the library has no types
    """One provider, from the settings alone; nobody signs up, and no address is ever matched."""

    def list_apps(self, request: HttpRequest, provider: Any = None, client_id: Any = None) -> list[SocialApp]:
        if not sign_on.is_on() or provider not in (None, sign_on.provider_key(), DirectoryProvider.id):
            return []
        return [
            SocialApp(
                provider=DirectoryProvider.id,
                provider_id=sign_on.provider_key(),
                name=settings.SIGN_ON_NAME,
                client_id=settings.SIGN_ON_CLIENT_ID,
                secret=settings.SIGN_ON_CLIENT_SECRET,
                settings={"server_url": settings.SIGN_ON_ISSUER},
            )
        ]

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False

    def can_authenticate_by_email(self, login: Any, email: str) -> bool:
        return False

    def get_requests_session(self) -> provider_documents.DirectSession:
        return provider_documents.DirectSession()


provider_classes = [DirectoryProvider]
