from django.urls import path

from exams.sign_on import office_views

urlpatterns = [
    path("house/sign-on/", office_views.office, name="sign_on_office"),
    path("house/sign-on/groups/", office_views.add_group, name="sign_on_add_group"),
    path("house/sign-on/groups/<number:mapping_id>/", office_views.remove_group, name="sign_on_remove_group"),
    path("house/sign-on/passwords/", office_views.change_passwords, name="sign_on_passwords"),
    path("people/<number:person_id>/directory/", office_views.person_subject, name="person_subject"),
]
