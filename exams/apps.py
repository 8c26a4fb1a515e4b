from django.apps import AppConfig


class ExamsConfig(AppConfig):
    name = "exams"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.mock.upcoming import ahead
        from exams.papers.exam_bank import IN_USE, exposure
        from exams.papers.guarded_requests import record_asked
        from exams.programmes.selectors import examining
        from exams.sittings.selectors import open_exam, open_sittings
        from exams.worklist import work_of_exams
        from training.home.upcoming import ask_for_exams
        from training.home.worklist import ask_what_waits
        from training.library.exam_bank import ask_for_exposure
        from training.library.guarded_cases import guard_also
        from training.library.guarded_requests import record_with
        from training.operations.metrics import gauges
        from training.people.access import ask_for_open_exam
        from training.rulebooks.programmes import ask_for_programmes

        ask_for_open_exam(open_exam)
        ask_for_exams(ahead)
        ask_what_waits(work_of_exams)
        ask_for_exposure(exposure)
        guard_also(IN_USE)
        record_with(record_asked)
        ask_for_programmes(examining)
        gauges.count("sittings_open", "Candidates at work on an exam now.", open_sittings)
