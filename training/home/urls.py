from django.urls import path

from training.home import component_page, phone, views

urlpatterns = [
    path("", views.home, name="home"),
    path("waiting/mail/", views.work_mail_page, name="work_mail"),
    path("manifest.webmanifest", phone.manifest, name="manifest"),
    path("service-worker.js", phone.service_worker, name="service_worker"),
    path("components/", component_page.components, name="components"),
    path("offline/", phone.offline, name="offline"),
]
