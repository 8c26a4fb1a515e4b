from django.urls import path

from exams.house_office import official_text_views, reading_views, views

urlpatterns = [
    path("", views.house_settings, name="house_settings"),
    path("logo.png", views.house_logo, name="house_logo"),
    path("readings/<int:ruling_id>/sign/", reading_views.sign_reading, name="sign_reading"),
    path("readings/<int:ruling_id>/withdraw/", reading_views.withdraw_reading, name="withdraw_reading"),
    path("readings/<str:book_id>/", reading_views.house_readings, name="house_readings"),
    path("readings/<str:book_id>/<str:question>/", reading_views.adopt_reading, name="adopt_reading"),
    path("texts/<str:book_id>/", official_text_views.official_text, name="official_text"),
]
