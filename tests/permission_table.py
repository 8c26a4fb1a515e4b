"""Who may use each route of the platform, by method and by role."""

from dataclasses import dataclass, field
from typing import Any

from training.people.models import Role

EVERYBODY = frozenset({None, *Role})
SIGNED_IN = frozenset(Role)
TRAINEE = frozenset({Role.TRAINEE})
INSTRUCTOR = frozenset({Role.INSTRUCTOR})
HR = frozenset({Role.HR})
READERS = TRAINEE | INSTRUCTOR
ADMINISTRATOR = frozenset({Role.ADMINISTRATOR})
AUDITOR = frozenset({Role.AUDITOR})
PROGRAMME_WRITERS = INSTRUCTOR | ADMINISTRATOR
STAFF = INSTRUCTOR | {Role.HR, Role.ADMINISTRATOR}
EXAMINERS = INSTRUCTOR | {Role.ADMINISTRATOR}
EXAMINING = frozenset({Role.INSTRUCTOR, Role.ADMINISTRATOR})
NOBODY = frozenset[Role | None]()
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
JSON = {"data": "{}", "content_type": "application/json"}
FORM = {"data": {"csrfmiddlewaretoken": "as every form sends"}}


@dataclass(frozen=True)
class Row:
    """The status for those who may. `strangers` is what people of the right role get who own nothing here."""

    who: frozenset[Role | None]
    get: int = 405
    post: int = 405
    strangers: int | None = None
    owner: Role | None = None
    refused: int = 403
    others: dict[str, int] = field(default_factory=dict)
    visitor: dict[str, int] = field(default_factory=dict)
    # Strangers may read it as its owner does.
    open_to_read: bool = False
    # Roles that may read it, and nothing else.
    readers: frozenset[Role] = frozenset()
    # Roles treated like the owner.
    oversee: frozenset[Role] = frozenset()
    # Stays open during the person's exam; its objects are their own.
    in_exam: bool = False

    def expected(self, role: Role | None, method: str, *, stranger: bool, at_work: bool, api: bool) -> int:
        if role in self.readers and method == "GET":
            return self.get
        if role not in self.who:
            # A page asks a visitor to sign in; a program is told to.
            return self.refused if role or self.refused != 403 else 401 if api else 302
        if role is None and method in self.visitor:
            return self.visitor[method]
        if at_work and not self.in_exam and None not in self.who:
            return 403
        stranger = not at_work if self.in_exam else stranger
        stranger = (stranger or role != (self.owner or role)) and role not in self.oversee
        allowed = self.others.get(method) or {"GET": self.get, "POST": self.post}.get(method, 405)
        stranger = stranger and not (self.open_to_read and method == "GET")
        return self.strangers if stranger and self.strangers and allowed != 405 else allowed


def closed() -> Row:
    return Row(NOBODY, refused=404)


def session_row(who: frozenset[Role | None], **statuses: Any) -> Row:
    return Row(who, strangers=404, owner=Role.INSTRUCTOR, oversee=frozenset({Role.ADMINISTRATOR}), **statuses)


TABLE = {
    # For everybody
    "healthz": Row(EVERYBODY, get=200),
    "readyz": Row(EVERYBODY, get=503),  # no worker runs in this test
    "metrics": Row(EVERYBODY, get=404),  # the settings of this test name nobody
    "set_language": Row(EVERYBODY, post=302),
    "set_theme": Row(EVERYBODY, post=302),
    "home": Row(SIGNED_IN, get=200),
    "work_mail": Row(STAFF, get=200, post=422),
    "manifest": Row(EVERYBODY, get=200),
    "service_worker": Row(EVERYBODY, get=200),
    "offline": Row(EVERYBODY, get=200),
    "components": Row(EVERYBODY, get=200),
    "own_tokens": Row(SIGNED_IN, get=200, post=422),
    "revoke_token": Row(SIGNED_IN, post=302, strangers=404, owner=Role.TRAINEE),
    "about_api": Row(SIGNED_IN, get=200),
    # Accounts
    "account_login": Row(EVERYBODY, get=302, post=302, visitor={"GET": 200, "POST": 200}),
    "account_logout": Row(EVERYBODY, get=200, post=302, visitor={"GET": 302}),
    "account_inactive": Row(EVERYBODY, get=200),
    "account_reset_password": Row(EVERYBODY, get=200, post=200),
    "account_reset_password_done": Row(EVERYBODY, get=200),
    "account_reset_password_from_key": Row(EVERYBODY, get=200, post=200),
    "account_reset_password_from_key_done": Row(EVERYBODY, get=200),
    "account_change_password": Row(SIGNED_IN, get=200, post=200),
    "account_reauthenticate": Row(SIGNED_IN, get=200, post=200),
    "mfa_authenticate": Row(EVERYBODY, get=302, post=302),
    "mfa_index": Row(SIGNED_IN, get=200),
    "mfa_reauthenticate": Row(SIGNED_IN, get=302, post=302),
    "mfa_activate_totp": Row(SIGNED_IN, get=302, post=302),
    # Nobody here has a second step to take away or codes to see.
    "mfa_deactivate_totp": Row(SIGNED_IN, get=404, post=404),
    "mfa_view_recovery_codes": Row(SIGNED_IN, get=404, post=405),
    "mfa_generate_recovery_codes": Row(SIGNED_IN, get=302, post=302),
    "mfa_download_recovery_codes": Row(SIGNED_IN, get=404, post=404),
    "account_signup": closed(),
    "account_email": closed(),
    "account_email_verification_sent": closed(),
    "account_set_password": closed(),
    "account_confirm_login_code": closed(),
    "account_confirm_email": closed(),
    # Sign-on with the directory, which the settings of this test do not have; `tests/sign_on` has it.
    "sign_on": Row(EVERYBODY, post=404),
    "sign_on_callback": Row(EVERYBODY, get=404),
    "sign_on_again": Row(SIGNED_IN, get=404, post=404),
    "own_sign_on": Row(SIGNED_IN, get=404, post=404),
    "sign_on_office": Row(ADMINISTRATOR, get=404, readers=AUDITOR),
    "sign_on_add_group": Row(ADMINISTRATOR, post=404),
    "sign_on_remove_group": Row(ADMINISTRATOR, post=404),
    "sign_on_passwords": Row(ADMINISTRATOR, post=404),
    "person_subject": Row(ADMINISTRATOR, get=404, post=404),
    # Mail
    "demo_mail": Row(EVERYBODY, get=404),
    "mail": Row(HR | ADMINISTRATOR, get=200),
    "try_mail_again": Row(HR | ADMINISTRATOR, post=302),
    "try_all_mail_again": Row(HR | ADMINISTRATOR, post=302),
    # The trainee
    "practice": Row(TRAINEE, get=200),
    "start_drill": Row(TRAINEE, post=422),
    "rules": Row(TRAINEE, get=200),
    "learn": Row(TRAINEE, post=404),
    "welcome": Row(TRAINEE, get=200, post=422),
    "placement": Row(TRAINEE, post=302),
    "law_lesson": Row(TRAINEE, get=200),
    "first_coup": Row(TRAINEE, get=200, post=200),
    "look_up": Row(TRAINEE, get=200),
    "rule_card": Row(TRAINEE, get=302, strangers=404),
    "history": Row(TRAINEE, get=200),
    "day": Row(TRAINEE, get=200),
    "set_reminder": Row(TRAINEE, post=302),
    "choose_tables": Row(TRAINEE, post=302),
    "stop_reminders": Row(EVERYBODY, get=200, post=200),
    "sprints": Row(TRAINEE, get=200),
    "start_sprint": Row(TRAINEE, post=302),
    "change_board": Row(TRAINEE, post=302),
    "live_tables": Row(TRAINEE, get=200),
    "start_live_table": Row(TRAINEE, post=422),
    "live_table": Row(TRAINEE, get=200, strangers=404),
    "live_act": Row(TRAINEE, post=422, strangers=404),
    "leave_live_table": Row(TRAINEE, post=302, strangers=404),
    "live_debrief": Row(READERS, get=404, strangers=404),
    "live_moment": Row(READERS, get=404, strangers=404),
    "practise_missed": Row(TRAINEE, post=404, strangers=404),
    "start_set_table": Row(TRAINEE, post=302, strangers=404),
    "class_live_tables": Row(INSTRUCTOR, get=200, strangers=404),
    "set_live_table": Row(INSTRUCTOR, post=422, strangers=404),
    "withdraw_live_table": Row(INSTRUCTOR, post=302, strangers=404),
    "watch_live_table": Row(INSTRUCTOR, get=200, strangers=404),
    "inject_fault": Row(INSTRUCTOR, post=422, strangers=404),
    "trainee_live_tables": Row(INSTRUCTOR, get=200, strangers=404),
    "sprint": Row(TRAINEE, get=200, post=422, strangers=404),
    "study": Row(TRAINEE, get=200, post=302),
    "drill": Row(TRAINEE, get=200, post=302, strangers=404),
    "try_again": Row(TRAINEE, post=409, strangers=404),
    "show_solution": Row(TRAINEE, post=302, strangers=404),
    "flag_drill": Row(TRAINEE, post=422, strangers=404),
    "go_on": Row(TRAINEE, post=409, strangers=404),
    "note_drill": Row(TRAINEE, post=302, strangers=404),
    "assigned": Row(TRAINEE, get=200),
    "start_assigned": Row(TRAINEE, post=302, strangers=404),
    "mocks": Row(TRAINEE, get=200, post=302),
    "mock": Row(TRAINEE, get=302, post=302, strangers=404),
    "mock_item": Row(TRAINEE, get=200, post=302, strangers=404),
    # The candidate's exams
    "own_exams": Row(TRAINEE, in_exam=True, get=200),
    "enter_exam": Row(TRAINEE, in_exam=True, get=200, post=422, strangers=404),
    "sitting": Row(TRAINEE, in_exam=True, get=302, strangers=404),
    "sitting_item": Row(
        TRAINEE, in_exam=True, get=200, post=409, strangers=404
    ),  # nobody opened it: no browser holds it yet
    "save_response": Row(TRAINEE, in_exam=True, post=422, strangers=404),
    "pulse_sitting": Row(TRAINEE, in_exam=True, post=409, strangers=404),
    "hand_in": Row(TRAINEE, in_exam=True, get=200, post=302, strangers=404),
    "go_on_here": Row(TRAINEE, in_exam=True, post=302, strangers=404),
    "exam_table": Row(TRAINEE, in_exam=True, get=200, strangers=404),
    "exam_act": Row(TRAINEE, in_exam=True, post=422, strangers=404),
    # The examiners of a real table, whose candidate nobody here has taught
    "practical_tables": Row(EXAMINERS, get=200),
    "practical_marking": Row(EXAMINERS, get=200),
    "begin_marking": Row(EXAMINERS, post=302),
    "tick": Row(EXAMINERS, post=422),
    "hand_in_marking": Row(EXAMINERS, post=409),
    "settle_marking": Row(EXAMINERS, get=302, post=302),
    "practical_sheet": Row(EXAMINERS, get=200),
    # Results; the sitting here is still open, so that nobody sees a result of it
    "results": Row(TRAINEE | EXAMINERS, get=200, readers=AUDITOR),
    "own_result": Row(TRAINEE, get=404),
    "own_result_item": Row(TRAINEE, get=404),
    "own_sheet": Row(TRAINEE, get=404),
    "session_results": Row(EXAMINERS, get=200, readers=AUDITOR),
    "release_results": Row(EXAMINERS, post=302),
    "grade_again": Row(EXAMINERS, post=302),
    "release_result": Row(EXAMINERS, post=302),
    "decide_result": Row(EXAMINERS, get=200, post=422, readers=AUDITOR),
    "examined_item": Row(EXAMINERS, get=200, readers=AUDITOR),
    # Annulling; this sitting is still open. Of HR it is the business of those alone who watched over it
    "annul_sitting": Row(STAFF, get=200, post=409, strangers=404, owner=Role.INSTRUCTOR, oversee=EXAMINING),
    "annulments": Row(STAFF, get=200, readers=AUDITOR),
    "decide_annulment": Row(STAFF, post=404),
    "exam_statistics": Row(EXAMINERS, get=200, readers=AUDITOR),
    "session_statistics": Row(EXAMINERS, get=200, readers=AUDITOR),
    "programme_statistics": Row(EXAMINERS, get=200, readers=AUDITOR),
    # Appeals and regrades
    "own_appeals": Row(TRAINEE, get=200),
    "lodge_appeal": Row(TRAINEE, get=200, post=422, strangers=404),
    "appeals": Row(INSTRUCTOR | ADMINISTRATOR, get=200, readers=AUDITOR),
    "own_objections": Row(SIGNED_IN, get=200, post=422),
    "objections": Row(EXAMINERS, get=200, readers=AUDITOR | HR),
    "objection": Row(EXAMINERS, get=200, post=422, readers=AUDITOR | HR),
    "carry_out_objection": Row(HR | ADMINISTRATOR, post=422),
    "appeal": Row(INSTRUCTOR | ADMINISTRATOR, get=200, post=422, readers=AUDITOR),
    "regrades": Row(ADMINISTRATOR, get=200, post=422, readers=AUDITOR),
    "regrade": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    "publish_regrade": Row(ADMINISTRATOR, post=422),
    "discard_regrade": Row(ADMINISTRATOR, post=302),
    # Sessions, by whoever holds them and by administrators; this one has opened and somebody is at work
    "sessions": Row(STAFF, get=200, readers=AUDITOR),
    "new_session": Row(EXAMINERS, get=200, post=422),
    "rulings_asked": Row(EXAMINERS, get=200),
    "look_at_asked": Row(EXAMINERS, post=302),
    "session": session_row(STAFF, get=200, readers=AUDITOR),
    "session_candidates": session_row(STAFF, get=200, readers=AUDITOR),
    "change_session": session_row(EXAMINERS, get=200, post=422),
    "prepare_session": session_row(EXAMINERS, post=409),
    "take_back_session": session_row(EXAMINERS, post=409),
    "cancel_session": session_row(EXAMINERS, get=200, post=422),
    "change_invigilators": session_row(EXAMINERS, post=404),
    "enter_candidate": session_row(EXAMINERS, post=404),
    "enter_class": session_row(EXAMINERS, post=422),
    "enter_candidates": session_row(EXAMINERS, get=200, post=422),
    "remove_candidate": session_row(EXAMINERS, post=409),
    "extra_time": session_row(EXAMINERS, post=422),
    # The invigilator, who is whoever holds the session here
    "live_session": Row(STAFF, get=200, strangers=404, owner=Role.INSTRUCTOR),
    "add_time": Row(STAFF, post=422, strangers=404, owner=Role.INSTRUCTOR),
    "mind_the_door": Row(STAFF, post=422, strangers=404, owner=Role.INSTRUCTOR),
    "let_try_again": Row(STAFF, post=404, strangers=404, owner=Role.INSTRUCTOR),  # a candidate of another session
    "live_sitting": Row(STAFF, get=200, strangers=404, owner=Role.INSTRUCTOR),
    "act_on_sitting": Row(STAFF, post=422, strangers=404, owner=Role.INSTRUCTOR),
    # Rulebooks
    "search": Row(INSTRUCTOR, get=200),
    "rulebooks": Row(READERS | ADMINISTRATOR, get=200),
    "rulebook": Row(READERS | ADMINISTRATOR, get=200),
    "article": Row(READERS | ADMINISTRATOR, get=200),
    "whole_article": Row(READERS | ADMINISTRATOR, get=200),
    "odds": Row(TRAINEE | EXAMINERS, get=200),
    "law_changes": Row(READERS | ADMINISTRATOR | HR, get=200),
    "change_played": Row(READERS | ADMINISTRATOR | HR, get=200),
    "compared_case": Row(READERS | ADMINISTRATOR, get=200),
    "compare_rulebooks": Row(READERS | ADMINISTRATOR, get=200),
    # The instructor's classes
    "classes": Row(INSTRUCTOR, get=200),
    "new_class": Row(INSTRUCTOR, get=200, post=422),
    "class": Row(INSTRUCTOR, get=200, strangers=404),
    "class_ideas": Row(INSTRUCTOR, get=200, strangers=404),
    "export_class": Row(INSTRUCTOR, get=200, strangers=404),
    "class_settings": Row(INSTRUCTOR, get=200, post=422, strangers=404),
    "change_instructors": Row(INSTRUCTOR, post=404, strangers=404),
    "close_class": Row(INSTRUCTOR, post=302, strangers=404),
    "class_people": Row(INSTRUCTOR, get=200, strangers=404),
    "enrol": Row(INSTRUCTOR, post=404, strangers=404),
    "unenrol": Row(INSTRUCTOR, post=404, strangers=404),
    "enrol_list": Row(INSTRUCTOR, get=200, post=422, strangers=404),
    "class_work": Row(INSTRUCTOR, get=200, strangers=404),
    "assign": Row(INSTRUCTOR, get=200, post=422, strangers=404),
    "class_assignment": Row(INSTRUCTOR, get=200, strangers=404),
    "work_scenarios": Row(INSTRUCTOR, get=200, post=302, strangers=404),
    "set_scenario": Row(INSTRUCTOR, get=404),
    "extend_work": Row(INSTRUCTOR, post=422, strangers=404),
    "withdraw_work": Row(INSTRUCTOR, post=302, strangers=404),
    "class_trainee": Row(INSTRUCTOR, get=200, strangers=404),
    "class_answer": Row(INSTRUCTOR, get=404, strangers=404),  # what is not answered yet is the trainee's alone
    "remark_answer": Row(INSTRUCTOR, post=404, strangers=404),
    "scenario_from_answer": Row(INSTRUCTOR, post=404, strangers=404),
    # The library; a draft is changed by its author alone
    "library": Row(INSTRUCTOR, get=200),
    "suspended": Row(INSTRUCTOR, get=200),
    "generate_scenarios": Row(INSTRUCTOR, get=200),
    "candidate": Row(INSTRUCTOR, get=422),
    "keep_candidates": Row(INSTRUCTOR, post=422),
    "import_scenarios": Row(INSTRUCTOR, get=200, post=422),
    "confirm_import": Row(INSTRUCTOR, post=302),
    "export_scenarios_json": Row(INSTRUCTOR, get=200),
    "act_on_several": Row(INSTRUCTOR, post=302),
    "import_template": Row(INSTRUCTOR, get=200),
    "export_scenarios_xlsx": Row(INSTRUCTOR, get=200),
    "export_scenarios_csv": Row(INSTRUCTOR, get=200),
    "scenario_file_schema": Row(INSTRUCTOR, get=200),
    "new_scenario": Row(INSTRUCTOR, get=200, post=404),
    "version": Row(INSTRUCTOR, get=200),
    "edit_version": Row(INSTRUCTOR, get=200, post=200, strangers=409),
    "version_table": Row(INSTRUCTOR, get=302),
    "who_edits": Row(INSTRUCTOR, get=302, strangers=404),
    "edit_moment": Row(INSTRUCTOR, get=200, post=200, strangers=409),
    "next_moment": Row(INSTRUCTOR, get=200, post=200, strangers=409),
    "act_on_version": Row(INSTRUCTOR, post=409),
    "in_the_margin": Row(INSTRUCTOR, post=409),
    # The desk
    "item_figures": Row(INSTRUCTOR, get=200),
    "trial": Row(INSTRUCTOR, get=200, post=200),
    "around_version": Row(INSTRUCTOR, get=200),
    "try_facts": Row(INSTRUCTOR, get=302, post=404),
    "around_facts": Row(INSTRUCTOR, post=404),
    "flags": Row(INSTRUCTOR, get=200),
    "flag": Row(INSTRUCTOR, get=200, post=422),
    # Programmes; a draft is read by all who write them and changed by its author alone
    "programmes": Row(SIGNED_IN, get=200),
    "refresher": Row(PROGRAMME_WRITERS | HR, get=200, post=302),
    "new_programme": Row(PROGRAMME_WRITERS, get=200, post=422),
    "programme": Row(SIGNED_IN, get=200),
    "programme_version": Row(PROGRAMME_WRITERS, get=200, readers=AUDITOR),
    "standard": Row(PROGRAMME_WRITERS, get=200, post=422, readers=AUDITOR),
    "duties": Row(PROGRAMME_WRITERS | HR, get=200, post=404, readers=AUDITOR),
    "compare_programme": Row(PROGRAMME_WRITERS, get=200, readers=AUDITOR),
    "programme_ideas": Row(PROGRAMME_WRITERS, get=200, readers=AUDITOR),
    "programme_draft": Row(PROGRAMME_WRITERS, get=200, post=422),
    "new_programme_version": Row(PROGRAMME_WRITERS, post=302),
    "discard_programme_draft": Row(PROGRAMME_WRITERS, post=302),
    "publish_programme": Row(PROGRAMME_WRITERS, get=200, post=422),
    "examiners": Row(frozenset({Role.ADMINISTRATOR}), get=200, post=404),
    "audit": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    "audit_check": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    "certificate_trail": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    "audit_csv": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    "audit_xlsx": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    # People, for administrators
    "house_settings": Row(ADMINISTRATOR, get=200, post=422, readers=AUDITOR),
    "house_readings": Row(PROGRAMME_WRITERS, get=200),
    "adopt_reading": Row(PROGRAMME_WRITERS, post=422),
    "sign_reading": Row(PROGRAMME_WRITERS, post=409),
    "withdraw_reading": Row(PROGRAMME_WRITERS, post=409),
    "sign_withdrawal": Row(PROGRAMME_WRITERS, post=409),
    "keep_reading": Row(PROGRAMME_WRITERS, post=409),
    "house_procedures": Row(PROGRAMME_WRITERS, get=200),
    "adopt_procedure": Row(PROGRAMME_WRITERS, post=404),  # the law decides this kind of incident
    "house_tables": Row(PROGRAMME_WRITERS, get=200),
    "house_table": Row(PROGRAMME_WRITERS, get=200, post=422),
    "new_table": Row(PROGRAMME_WRITERS, get=200, post=422),
    "switch_table": Row(PROGRAMME_WRITERS, post=409),
    "move_table": Row(PROGRAMME_WRITERS, post=302),
    "official_text": Row(PROGRAMME_WRITERS, get=200, post=422),
    "house_logo": Row(ADMINISTRATOR, get=404, readers=AUDITOR),  # nobody has given one
    "webhooks": Row(ADMINISTRATOR, get=200, post=422),
    "webhook": Row(ADMINISTRATOR, get=200),
    "stop_webhook": Row(ADMINISTRATOR, post=302),
    "try_webhook_again": Row(ADMINISTRATOR, post=302),
    "people": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    "new_person": Row(ADMINISTRATOR, get=200, post=422),
    "person": Row(ADMINISTRATOR, get=200, readers=AUDITOR),
    "change_role": Row(ADMINISTRATOR, post=404),
    "invite_again": Row(ADMINISTRATOR, post=302),
    "confirm_account": Row(ADMINISTRATOR, post=302),
    "correct_person": Row(ADMINISTRATOR, get=200, post=422),
    "close_account": Row(ADMINISTRATOR, get=200, post=422),
    "return_account": Row(ADMINISTRATOR, get=200, post=422),
    "remove_second_factor": Row(ADMINISTRATOR, get=200, post=422),
    "person_data": Row(ADMINISTRATOR, get=200, post=409),  # the trainee's account is open
    "person_copy": Row(ADMINISTRATOR, get=200),
    "own_data": Row(SIGNED_IN, get=200),
    "own_copy": Row(SIGNED_IN, get=200),
    "name_corrections": Row(HR | ADMINISTRATOR, get=200),
    "decide_name": Row(HR | ADMINISTRATOR, post=404),
    "decide_issue": Row(HR | ADMINISTRATOR, post=404),
    "decide_withdrawal": Row(HR | ADMINISTRATOR, post=404),
    "ask_for_name": Row(HR | ADMINISTRATOR, get=200, post=422),
    # The HR desk
    "hr_desk": Row(HR, get=200, readers=AUDITOR),
    "hr_person": Row(HR, get=200, readers=AUDITOR),
    "hr_dossier": Row(HR | ADMINISTRATOR, get=200, readers=AUDITOR),
    "hr_record": Row(HR, get=200, post=422),
    "hr_act": Row(HR, get=200, post=422),
    "hr_law": Row(HR, get=200, readers=AUDITOR),
    "hr_waiting": Row(HR, get=200, readers=AUDITOR),
    "hr_issue": Row(HR, get=200, post=302),
    "hr_issue_many": Row(HR, get=302, post=302),
    "hr_suspend_many": Row(HR, get=302, post=302),
    "hr_tonight": Row(HR, get=200, readers=AUDITOR),
    "hr_tonight_csv": Row(HR, get=200, readers=AUDITOR),
    "hr_tonight_json": Row(HR, get=200, readers=AUDITOR),
    "hr_staff": Row(HR, get=200, post=422),
    "hr_staff_template": Row(HR, get=200),
    "hr_staff_confirm": Row(HR, post=302),
    "hr_staff_stop": Row(HR, post=302),
    "hr_staff_changes": Row(HR, get=302),
    "hr_exports": Row(HR, get=200, post=422),
    "hr_export": Row(HR, get=302, strangers=404),
    "hr_stop_schedule": Row(HR, post=302, strangers=404),
    "hr_cancel_export": Row(HR, post=302, strangers=404),
    "hr_export_file": Row(HR, get=200, strangers=404),
    # Certificates
    "legal_instruments": Row(ADMINISTRATOR, get=200, post=409, readers=AUDITOR),
    "own_certificates": Row(SIGNED_IN, get=200),
    "certificate_document": Row(SIGNED_IN, get=200, strangers=404, owner=Role.TRAINEE, oversee=HR | AUDITOR),
    "certificate_credential": Row(SIGNED_IN, get=200, strangers=404, owner=Role.TRAINEE, oversee=HR | AUDITOR),
    "certificate_badge_png": Row(SIGNED_IN, get=200, strangers=404, owner=Role.TRAINEE, oversee=HR | AUDITOR),
    "certificate_badge_svg": Row(SIGNED_IN, get=200, strangers=404, owner=Role.TRAINEE, oversee=HR | AUDITOR),
    "share_certificate": Row(SIGNED_IN, get=200, strangers=404, owner=Role.TRAINEE),
    "change_registration": Row(SIGNED_IN, post=302),
    "public_register": Row(EVERYBODY, get=200),
    "published_key": Row(EVERYBODY, get=200),
    "badge_image": Row(EVERYBODY, get=200),
    "status_list": Row(EVERYBODY, get=200),
    "published_keys": Row(EVERYBODY, get=200),
    "check": Row(EVERYBODY, get=200),
    "check_code": Row(EVERYBODY, get=200),
    "check_as_data": Row(EVERYBODY, get=200),
    # The API
    "api_schema": Row(SIGNED_IN, get=200),
    "api_unknown": Row(EVERYBODY, get=404, post=404, others={"PUT": 404, "PATCH": 404, "DELETE": 404}),
    "api_rulebooks": Row(READERS, get=200),
    "api_rulebook": Row(READERS, get=200),
    "api_topics": Row(READERS, get=200),
    "api_articles": Row(READERS, get=200),
    "api_article": Row(READERS, get=200),
    "api_drills": Row(TRAINEE, get=200, post=422),
    "api_drill": Row(TRAINEE, get=200, strangers=404),
    "api_answer": Row(TRAINEE, post=422, strangers=404),
    "api_second_try": Row(TRAINEE, post=422, strangers=404),
    "api_solution": Row(TRAINEE, post=200, strangers=404),
    "api_flag": Row(TRAINEE, post=422, strangers=404),
    "api_next_moment": Row(TRAINEE, post=409, strangers=404),
    "api_mastery": Row(TRAINEE, get=200),
    "api_assigned": Row(TRAINEE, get=200),
    "api_versions": Row(INSTRUCTOR, get=200, post=422),
    "api_import": Row(INSTRUCTOR, post=422),
    "api_version": Row(INSTRUCTOR, get=200, others={"PATCH": 200}, strangers=409, open_to_read=True),
    "api_acts": Row(INSTRUCTOR, post=422),
    "api_classes": Row(INSTRUCTOR, get=200),
    "api_class": Row(INSTRUCTOR, get=200, strangers=404),
    "api_grid": Row(INSTRUCTOR, get=200, strangers=404),
    "api_enrolments": Row(INSTRUCTOR, get=200, post=422, strangers=404),
    "api_assignments": Row(INSTRUCTOR, get=200, post=422, strangers=404),
    "api_items": Row(INSTRUCTOR, get=200),
    "api_solve": Row(INSTRUCTOR, post=422),
    "api_generate": Row(INSTRUCTOR, post=422),
    "api_certificates": Row(HR | TRAINEE, get=200),
    "api_certificate": Row(HR | TRAINEE, get=200, strangers=404, oversee=HR),
    "api_certificate_acts": Row(HR, post=422),
    "api_roster": Row(HR, get=200),
    "api_results": Row(TRAINEE, get=200),
}
