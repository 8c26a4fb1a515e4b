from django.apps import AppConfig


class SessionsConfig(AppConfig):
    name = "exams.exam_sessions"
    label = "exam_sessions"  # Django has an app named sessions

    def ready(self) -> None:
        from exams.exam_sessions.letters import tell_soon
        from exams.papers import hooks

        hooks.papers_ready.subscribe(tell_soon)
