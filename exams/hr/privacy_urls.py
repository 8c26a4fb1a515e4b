from django.urls import path

from exams.hr import privacy_views

urlpatterns = [
    path("own-data/", privacy_views.own_data, name="own_data"),
    path("own-data/copy.json", privacy_views.own_copy, name="own_copy"),
    path("people/<number:person_id>/data/", privacy_views.person_data, name="person_data"),
    path("people/<number:person_id>/data/copy.json", privacy_views.person_copy, name="person_copy"),
]
