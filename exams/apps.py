from django.apps import AppConfig


class ExamsConfig(AppConfig):
    name = "exams"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from exams.mock.ahead import ahead
        from exams.papers.attempts import record_asked
        from exams.papers.bank import IN_USE, exposure
        from exams.programmes.selectors import examining
        from exams.sittings.selectors import open_exam, open_sittings
        from exams.waiting import work_of_exams
        from training.home.ahead import ask_for_exams
        from training.home.waiting import ask_what_waits
        from training.library.asked import record_with
        from training.library.bank import ask_for_exposure
        from training.library.guarded import guard_also
        from training.metrics import readings
        from training.people.access import ask_for_open_exam
        from training.rulebooks.programmes import ask_for_programmes

        ask_for_open_exam(open_exam)
        ask_for_exams(ahead)
        ask_what_waits(work_of_exams)
        ask_for_exposure(exposure)
        guard_also(IN_USE)
        record_with(record_asked)
        ask_for_programmes(examining)
        readings.count("sittings_open", "Candidates at work on an exam now.", open_sittings)
