"""Public URLs: the check, at a short address because it is printed and typed, and the keys."""

from django.urls import path

from exams.certificates import check_views as views

urlpatterns = [
    path("c/", views.ask_for_code, name="check"),
    path("c/<str:code>.json", views.check_as_data, name="check_as_data"),
    path("c/<str:code>", views.check_code, name="check_code"),
    path("register/", views.public_register, name="public_register"),
    path(".well-known/keys/<str:key_id>", views.published_key, name="published_key"),
    path(".well-known/jwks.json", views.published_keys, name="published_keys"),
]
