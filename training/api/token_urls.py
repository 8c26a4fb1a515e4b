from django.urls import path

from training.api import pages

urlpatterns = [
    path("", pages.own_tokens, name="own_tokens"),
    path("<number:token_id>/revoke/", pages.revoke_token, name="revoke_token"),
]
