"""How long certificates take: `python -m tests.bench_certificates [how many]`, in a database of its own.

Two processes, as on two cores, issue certificates for decided results and make PDF (with QR code) and credential of
each; then the status lists are made. After that the public check page is measured against a bare page with one SELECT.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

COUNT, PROCESSES = 1_000, 2
WANTED_SECONDS, WANTED_RATIO = 30, 2.0
ROUNDS, REQUESTS = 15, 40


def main(count: int) -> int:
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as var:
        os.environ.update(SABOT_MODE="demo", SABOT_VAR=var, LOG_LEVEL="ERROR")
        os.environ.pop("DATABASE_URL", None)
        set_up()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        fill(count)
        seconds = issue_all(count)
        print(f"{count:,} certificates with PDF, QR code, credential and status: {seconds:.1f} s", end="")
        scaled = seconds * COUNT / count
        print(f" ({scaled:.1f} s for {COUNT:,}; wanted under {WANTED_SECONDS} s)")
        ratios = check_page()
    return 0 if scaled < WANTED_SECONDS and ratios["same stack"] <= WANTED_RATIO else 1


def set_up() -> None:
    import django

    from training import settings

    os.environ["DJANGO_SETTINGS_MODULE"] = "training.settings"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # type: ignore[attr-defined]
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    settings.ALLOWED_HOSTS = ["*"]
    settings.CHECK_RATE = 10**9
    settings.MIDDLEWARE.remove("training.logs.RequestLog")  # a line for each request would drown the figures
    django.setup()


def fill(count: int) -> None:
    """So many people who have passed."""
    from tests.exams import making
    from tests.exams.certifying import make_result
    from tests.factories import PersonFactory

    version = making.make_version()
    for _number in range(count):
        make_result(version, PersonFactory(name="Maria da Conceição Vasconcelos Magalhães"))


def issue_all(count: int) -> float:
    from exams.certificates import keys, statuslists
    from exams.certificates.models import Certificate
    from exams.results.models import Result

    keys.key_in_use()
    ids = [str(found) for found in Result.objects.values_list("pk", flat=True)]
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.bench_certificates", "worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _each in range(PROCESSES)
    ]
    for worker in workers:
        assert worker.stdout and worker.stdout.readline() == "ready\n"
    started = time.perf_counter()
    for number, worker in enumerate(workers):
        assert worker.stdin
        worker.stdin.write("\n".join(ids[number::PROCESSES]))
        worker.stdin.close()
    for worker in workers:
        assert worker.wait() == 0
    for name in statuslists.BY_STATE:
        assert statuslists.signed_list(name, 0)
    spent = time.perf_counter() - started
    assert Certificate.objects.count() == count
    return spent


def work() -> None:
    set_up()
    from exams.certificates import issuance
    from exams.certificates.credential import credential
    from exams.certificates.document import document

    print("ready", flush=True)
    for line in sys.stdin:
        certificate = issuance.follow(line.strip())  # type: ignore[arg-type]
        assert certificate
        assert document(certificate).startswith(b"%PDF")
        assert credential(certificate)


def check_page() -> dict[str, float]:
    """The median of interleaved rounds, as ratios to the bare page in the same stack and without any middleware."""
    from django.test import Client, override_settings

    from exams.certificates.models import Certificate

    code = Certificate.objects.values_list("code", flat=True)[0]
    with override_settings(ROOT_URLCONF="tests.bench_certificates"):
        client = Client()
        pages: dict[str, Any] = {
            "check": (client, f"/c/{code}"),
            "same stack": (client, "/bare"),
        }
        with override_settings(MIDDLEWARE=[]):
            naked = Client()
            naked.get("/bare")  # the handler is made with the settings of its first request
            pages["no middleware"] = (naked, "/bare")
        times: dict[str, list[float]] = {name: [] for name in pages}
        for number in range(ROUNDS):
            for name, (who, address) in pages.items():
                started = time.perf_counter()
                for _each in range(REQUESTS):
                    assert who.get(address).status_code == 200
                if number:  # the first round warms up
                    times[name].append((time.perf_counter() - started) / REQUESTS)
    median = {name: statistics.median(taken) for name, taken in times.items()}
    print(f"check page: {median['check'] * 1000:.2f} ms;", end="")
    ratios = {name: median["check"] / median[name] for name in ("same stack", "no middleware")}
    print(*[f" {ratio:.2f} × a bare page with one SELECT, {name};" for name, ratio in ratios.items()])
    return ratios


def __getattr__(name: str) -> Any:
    """The addresses with a bare page among them, asked for by Django once it is set up."""
    if name != "urlpatterns":
        raise AttributeError(name)
    from django.http import HttpRequest, HttpResponse
    from django.template import engines
    from django.urls import path

    from exams.certificates.models import Certificate
    from training import urls
    from training.people.access import public

    source = "<!doctype html><title>{{ one.number }}</title><p>{{ one.holder_name }}</p>"
    template = engines["django"].from_string(source)

    @public
    def bare(request: HttpRequest) -> HttpResponse:
        return HttpResponse(template.render({"one": Certificate.objects.first()}, request))

    return [path("bare", bare), *urls.urlpatterns]


if __name__ == "__main__":
    if sys.argv[1:] == ["worker"]:
        work()
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT))
