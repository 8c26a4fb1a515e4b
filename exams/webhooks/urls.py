from django.urls import path

from exams.webhooks import views

urlpatterns = [
    path("", views.webhooks, name="webhooks"),
    path("<uuid:hook_id>/", views.webhook, name="webhook"),
    path("<uuid:hook_id>/stop/", views.stop_webhook, name="stop_webhook"),
    path("<uuid:hook_id>/again/", views.try_webhook_again, name="try_webhook_again"),
]
