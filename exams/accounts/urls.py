from django.urls import path

from exams.accounts import name_views, views

urlpatterns = [
    path("", views.people, name="people"),
    path("new/", views.new_person, name="new_person"),
    path("names/", name_views.name_corrections, name="name_corrections"),
    path("names/<number:correction_id>/", name_views.decide_name, name="decide_name"),
    path("withdrawals/<number:request_id>/", name_views.decide_withdrawal, name="decide_withdrawal"),
    path("issues/<number:issue_id>/", name_views.decide_issue, name="decide_issue"),
    path("<number:person_id>/printed-name/", name_views.ask_for_name, name="ask_for_name"),
    path("<number:person_id>/", views.one_person, name="person"),
    path("<number:person_id>/roles/", views.change_role, name="change_role"),
    path("<number:person_id>/invite/", views.invite_again, name="invite_again"),
    path("<number:person_id>/confirm/", views.confirm_account, name="confirm_account"),
    path("<number:person_id>/correct/", views.correct_person, name="correct_person"),
    path("<number:person_id>/close/", views.close_account, name="close_account"),
    path("<number:person_id>/second-factor/", views.remove_second_factor, name="remove_second_factor"),
    path("<number:person_id>/return/", views.return_account, name="return_account"),
]
