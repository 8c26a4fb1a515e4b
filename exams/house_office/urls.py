from django.urls import path

from exams.house_office import official_text_views, procedure_views, reading_views, ruling_views, table_views, views

urlpatterns = [
    path("", views.house_settings, name="house_settings"),
    path("logo.png", views.house_logo, name="house_logo"),
    path("readings/<int:ruling_id>/sign/", ruling_views.sign_reading, name="sign_reading"),
    path("readings/<int:ruling_id>/withdraw/", ruling_views.withdraw_reading, name="withdraw_reading"),
    path("readings/<int:ruling_id>/withdraw/sign/", ruling_views.sign_withdrawal, name="sign_withdrawal"),
    path("readings/<int:ruling_id>/keep/", ruling_views.keep_reading, name="keep_reading"),
    path("readings/<str:book_id>/", reading_views.house_readings, name="house_readings"),
    path("readings/<str:book_id>/<str:question>/", reading_views.adopt_reading, name="adopt_reading"),
    path("procedures/<str:book_id>/", procedure_views.house_procedures, name="house_procedures"),
    path("procedures/<str:book_id>/<str:kind>/", procedure_views.adopt_procedure, name="adopt_procedure"),
    path("tables/", table_views.house_tables, name="house_tables"),
    path("tables/<int:table_id>/", table_views.house_table, name="house_table"),
    path("tables/<int:table_id>/up/", table_views.move_table, name="move_table"),
    path("tables/<str:book_id>/new/", table_views.new_table, name="new_table"),
    path("tables/<str:book_id>/switch/", table_views.switch_table, name="switch_table"),
    path("texts/<str:book_id>/", official_text_views.official_text, name="official_text"),
]
