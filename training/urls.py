"""All URLs of the platform. A view without an access declaration is refused (see `people.access`)."""

from django.urls import include, path, register_converter

from training.operations import health
from training.operations.metrics.views import metrics
from training.people import views as people
from training.people.theme import choose_theme
from training.platform.storable import NumberConverter
from training.rulebooks.search_views import search

register_converter(NumberConverter, "number")

urlpatterns = [
    path("", include("training.home.urls")),
    path("account/tokens/", include("training.api.token_urls")),
    path("account/directory/", include("exams.sign_on.urls")),
    # Not `allauth.urls`, which has pages for signing up with a provider.
    path("account/", include("allauth.account.urls")),
    path("account/2fa/", include("allauth.mfa.urls")),
    path("api/v1/", include("exams.api.urls")),
    path("api/", include("training.api.urls")),
    path("practice/table/", include("training.live_table.urls")),
    path("practice/sprint/", include("training.sprint.urls")),
    path("practice/", include("training.lessons.urls")),
    path("practice/", include("training.practice.urls")),
    path("", include("training.classes.urls")),
    path("scenarios/", include("training.library.urls")),
    path("figures/", include("training.desk.urls")),
    path("search/", search, name="search"),
    path("rulebooks/", include("training.rulebooks.urls")),
    path("", include("exams.urls")),
    path("mail/", include("training.mail.urls")),
    path("language/", people.choose_language, name="set_language"),
    path("appearance/", choose_theme, name="set_theme"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
