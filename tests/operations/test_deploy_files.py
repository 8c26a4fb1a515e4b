"""The units, the container, the compose file and the alarms name only what is there."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from pathlib import Path

import jsonschema
import pytest
import yaml
from babel.messages.pofile import read_po

from exams.hr.tasks import go_on_with_staff_list, make_export
from exams.papers.tasks import PAPERS_LIMIT
from tests.house import all_routes
from tests.operations.deploying import BIN, DEPLOY, UNITS, command_of_unit, compose, own_services, settings_file
from tests.running import ROOT
from tests.services import missing
from training.celery import QUEUES, app
from training.operations import supervisor, web_server
from training.people import spraying

PROGRAMS = {
    "web": "sabot-web.service",
    "exams": "sabot-exams@.service",
    "practice": "sabot-practice@.service",
    "beat": "sabot-beat.service",
}
OPERATING = " ".join((ROOT / "docs/operating.md").read_text().split())
# The schema that the Compose Specification publishes (Apache License 2.0, beside it), as of October 2026.
COMPOSE = json.loads((Path(__file__).parent / "compose_spec/compose-spec.json").read_text())


# ---- settings


def read_by_the_platform() -> set[str]:
    """Every variable that the settings or the web server ask for."""
    asked = re.compile(r"""env\.\w+\(\s*["']([A-Z_]+)["']|environ\.get\(\s*["']([A-Z_]+)["']""")
    sources = "".join(path.read_text() for path in sorted((ROOT / "training").rglob("*.py")))
    return {name for pair in asked.findall(sources) for name in pair if name}


def test_every_setting_named_is_one_that_is_read() -> None:
    known = read_by_the_platform()
    assert set(settings_file(DEPLOY / "sabot.env")) <= known
    for service in own_services().values():
        assert set(service["environment"]) <= known
    container = (DEPLOY / "Containerfile").read_text()
    of_image = {name for line in re.findall(r"^ENV (.+)$", container, re.M) for name in re.findall(r"(\w+)=", line)}
    assert of_image - {"PATH", "PYTHONUNBUFFERED"} <= known


def test_all_that_the_compose_file_asks_for_is_in_its_example() -> None:
    asked = set(re.findall(r"\$\{([A-Z_]+):\?\}", (DEPLOY / "compose.yaml").read_text()))
    given = settings_file(DEPLOY / "compose.env.example")
    assert asked <= set(given)
    text = (DEPLOY / "compose.yaml").read_text()
    assert set(given) <= set(re.findall(r"\$\{([A-Z_]+)", text))


def test_one_proxy_is_trusted_and_says_what_django_reads() -> None:
    assert settings_file(DEPLOY / "sabot.env")["TRUSTED_PROXIES"] == "1"
    assert {service["environment"]["TRUSTED_PROXIES"] for service in own_services().values()} == {"1"}


# ---- systemd


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    assert verified(tmp_path) == ""


def test_systemd_would_find_a_word_that_it_does_not_know(tmp_path: Path) -> None:
    assert "NoNewPrivilege" in verified(tmp_path, {"NoNewPrivileges": "NoNewPrivilege"})
    assert "celry" in verified(tmp_path, {"bin/celery": "bin/celry"})


def verified(directory: Path, changes: dict[str, str] | None = None) -> str:
    """What `systemd-analyze verify` has to say, of units whose programs are those of this checkout."""
    units = directory / f"units{len(list(directory.iterdir()))}"
    shutil.copytree(UNITS, units)
    for path in units.rglob("*"):
        if path.is_file():
            text = path.read_text().replace("/opt/sabot/.venv/bin", str(BIN)).replace("/opt/sabot", str(ROOT))
            for before, after in (changes or {}).items():
                text = text.replace(before, after)
            path.write_text(text)
    names = [path.name.replace("@.", "@1.") for path in units.iterdir() if path.is_file()]
    try:
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", *(f"./{name}" for name in names)],
            cwd=units,
            env={**os.environ, "SYSTEMD_UNIT_PATH": f"{units}:", "SYSTEMD_LOG_LEVEL": "warning"},
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        missing("systemd-analyze", error)
    ours = [line for line in done.stderr.splitlines() if "sabot" in line or "units" in line or "celry" in line]
    assert done.returncode == 0 or ours, done.stderr
    return "\n".join(ours)


def test_the_target_starts_every_program_once_and_keeps_the_address_of_web() -> None:
    (wanted,) = values("sabot.target", "Wants")
    programs = [unit.replace("@.", "@1.") for unit in PROGRAMS.values()]
    assert sorted(wanted.split()) == sorted([*programs, "sabot-web.socket"])
    # Where the target is stopped, before a restore, no visitor starts web again.
    assert values("sabot-web.socket", "PartOf") == ["sabot.target"]


def test_web_takes_the_socket_that_the_proxy_asks() -> None:
    assert values("sabot-web.service", "Requires") == ["sabot-web.socket"]
    assert values("sabot-web.socket", "ListenStream") == re.findall(
        r"server ([\d.:]+) max_fails=0;", (DEPLOY / "nginx/upstream.conf").read_text()
    )


def test_nothing_reloads_web_in_a_way_that_loads_no_new_code() -> None:
    assert values("sabot-web.service", "ExecReload") == []


def test_the_stand_in_is_web_at_the_same_socket_and_starts_only_in_an_update() -> None:
    for name in ("ExecStart", "Type", "KillMode", "TimeoutStopSec", "Requires"):
        assert values("sabot-web-standin.service", name) == values("sabot-web.service", name)
    assert values("sabot-web-standin.service", "Sockets") == ["sabot-web.socket"]
    assert "standin" not in (UNITS / "sabot.target").read_text()
    assert values("sabot-web-standin.service", "Restart") == []


def values(unit: str, name: str) -> list[str]:
    return re.findall(rf"^{name}=(.+)$", (UNITS / unit).read_text(), re.MULTILINE)


# ---- how long what is asked to stop may take


def test_web_is_given_the_time_of_its_longest_request_everywhere() -> None:
    (unit,) = values(PROGRAMS["web"], "TimeoutStopSec")
    seconds = int(unit)
    assert seconds == supervisor.GRACE_SECONDS > web_server.graceful_timeout
    assert own_services()["web"]["stop_grace_period"] == f"{seconds}s"
    assert f"give web {seconds} seconds" in OPERATING


@pytest.mark.parametrize("name", ["exams", "practice"])
def test_workers_are_given_the_time_of_their_longest_task_everywhere(name: str) -> None:
    (unit,) = values(PROGRAMS[name], "TimeoutStopSec")
    seconds = int(unit)
    # An export or a staff list may take longer: the units and the document say that they are begun again.
    long = {make_export.name, go_on_with_staff_list.name}
    limits = [task.time_limit for task in app.tasks.values() if task.name not in long and task.time_limit]
    assert seconds > max(*limits, app.conf.task_time_limit)
    assert PAPERS_LIMIT in limits
    assert own_services()[name]["stop_grace_period"] == f"{seconds}s"
    assert f"Give it {seconds} seconds" in OPERATING


def test_every_queue_has_a_worker() -> None:
    taken = [command_of_unit(unit) for unit in PROGRAMS.values() if "@" in unit]
    queues = [queue for command in taken for queue in command[command.index("--queues") + 1].split(",")]
    assert sorted(queues) == sorted(QUEUES)


# ---- containers


def test_the_compose_file_fits_the_published_schema() -> None:
    jsonschema.validate(compose(), COMPOSE)
    broken = compose()
    broken["services"]["web"]["helthcheck"] = {}
    with pytest.raises(jsonschema.ValidationError, match="helthcheck"):
        jsonschema.validate(broken, COMPOSE)


def test_the_compose_file_names_only_what_is_there() -> None:
    read = compose()
    for service in read["services"].values():
        assert set(service.get("depends_on", {})) <= set(read["services"])
        assert {config["source"] for config in service.get("configs", [])} <= set(read["configs"])
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert source in read["volumes"] or source == "./tls" or (DEPLOY / source).exists()
    healthy = {
        on for s in read["services"].values() for on in dict_of(s.get("depends_on")) if on in ("database", "broker")
    }
    assert all("healthcheck" in read["services"][name] for name in healthy)
    build = read["services"]["prepare"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()


def test_the_proxy_asks_each_of_web_at_the_address_that_it_keeps() -> None:
    webs = [service for service in own_services().values() if service["command"][0] == "gunicorn"]
    kept = [service["networks"]["default"]["ipv4_address"] for service in webs]
    assert re.findall(r"server ([\d.]+):8000 ", compose()["configs"]["upstream"]["content"]) == kept
    (range_of_its_own,) = compose()["networks"]["default"]["ipam"]["config"]
    assert len(set(kept)) == 2
    assert all(ip_address(one) in ip_network(range_of_its_own["subnet"]) for one in kept)


def test_every_service_is_bounded_and_looked_after() -> None:
    """Memory, log and health of each; `prepare` ends by itself."""
    for name, service in compose()["services"].items():
        assert service["logging"]["options"]["max-size"], name
        if name != "prepare":
            assert {"mem_limit", "healthcheck"} <= set(service), name
    for unit in (*PROGRAMS.values(), "sabot-web-standin.service"):
        assert values(unit, "MemoryMax"), unit


def dict_of(depends: object) -> dict[str, object]:
    return depends if isinstance(depends, dict) else {}


@pytest.mark.parametrize("name", PROGRAMS)
def test_containers_run_the_same_commands_as_the_units(name: str) -> None:
    """So that starting the units' commands (test_deployed) is starting these."""
    program, *arguments = command_of_unit(PROGRAMS[name])
    assert [Path(program).name, *(argument.replace("-1@", "@") for argument in arguments)] == own_services()[name][
        "command"
    ]


def test_the_image_starts_the_web_and_copies_only_what_is_there() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    assert json.loads(re.findall(r"^CMD (.+)$", text, re.M)[0]) == own_services()["web"]["command"]
    copied = [name for line in re.findall(r"^COPY (.+) \S+$", text, re.M) for name in line.split()]
    assert all((ROOT / name).exists() for name in copied)
    for target in re.findall(r"make ([.\w/]+)", text.replace("install -qq -y --no-install-recommends make", "")):
        assert subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_no_image_holds_a_secret_of_the_checkout_or_what_another_machine_made() -> None:
    """Docker reads the one file, Podman either: two files, since not everywhere can a checkout hold a link."""
    left_out = (ROOT / ".containerignore").read_text()
    assert (ROOT / ".dockerignore").read_text() == left_out
    assert {".git", ".venv", "var", "deploy/compose.env", "deploy/tls"} <= set(left_out.splitlines())


# ---- what the manual lets people press


def test_every_word_of_a_page_that_the_manual_names_is_on_one() -> None:
    text = (ROOT / "docs/operating.md").read_text().partition("### From nobody to a graded exam")[2]
    named = {" ".join(words.split()) for words in re.findall("“([^”…]+)”", text.partition("## Settings")[0])}
    shown = english()
    assert len(named) > 30
    assert sorted(words for words in named if words not in shown) == []


def english() -> set[str]:
    """The English text of every message."""
    with (ROOT / "training/locale/pt/LC_MESSAGES/django.po").open("rb") as read:
        return {str(message.id).rstrip(".") for message in read_po(read)}


# ---- alarms


def alerts() -> list[dict[str, str]]:
    (group,) = yaml.safe_load((DEPLOY / "prometheus/sabot-alerts.yaml").read_text())["groups"]
    rules: list[dict[str, str]] = group["rules"]
    return rules


def test_every_alarm_is_explained_under_its_name() -> None:
    watch = (ROOT / "docs/operating.md").read_text().partition("\n## Watch")[2]
    explained = re.findall(r"^\| `(Sabot\w+)` \|", watch, re.MULTILINE)
    assert sorted(explained) == sorted(rule["alert"] for rule in alerts())


def test_the_alarm_of_spraying_and_the_line_in_the_log_begin_at_the_same_number() -> None:
    [rule] = [rule["expr"] for rule in alerts() if rule["alert"] == "SabotPasswordSpraying"]
    limits = {name: int(number) for name, number in re.findall(r"sabot_accounts_guessed_(\w+)\) >= (\d+)", rule)}
    assert limits == {"hour": spraying.MANY[spraying.HOUR], "day": spraying.MANY[spraying.DAY]}


def test_addresses_that_hold_a_key_or_a_code_are_in_no_log_of_the_proxy() -> None:
    site = (DEPLOY / "nginx/sabot.conf").read_text()
    servers = site.split("\nserver {")[1:]
    assert len(servers) == 2
    assert all(re.findall(r"error_log (.+);", server) == ["/dev/null emerg"] for server in servers)
    assert "$request_uri" not in site.partition("log_format")[2].partition(";")[0]


def test_alarms_name_only_pages_that_there_are() -> None:
    named = [
        view for rule in alerts() for found in re.findall(r'view=~"([^"]+)"', rule["expr"]) for view in found.split("|")
    ]
    assert named
    assert set(named) <= set(all_routes())


def test_every_metric_of_the_alarms_and_the_dashboard_is_told(told_metrics: Callable[[], set[str]]) -> None:
    dashboard = json.loads((DEPLOY / "prometheus/grafana-dashboard.json").read_text())
    written = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    named = {
        name for expr in [*written, *(rule["expr"] for rule in alerts())] for name in re.findall(r"\bsabot_\w+", expr)
    }
    assert len(named) > 8
    assert named <= told_metrics()


@pytest.fixture
def told_metrics(db: None, settings: object, monkeypatch: pytest.MonkeyPatch) -> Callable[[], set[str]]:
    """The names of all samples in the real output, once there has been something to tell."""
    from django.test import Client
    from django.utils import timezone

    from tests.operations.test_metrics import TOKEN, broken, samples
    from training.operations.models import WorkerSeen

    monkeypatch.setattr("django.conf.settings.METRICS_TOKEN", TOKEN)
    monkeypatch.setattr("exams.certificates.keys.published", broken)
    monkeypatch.setattr("training.operations.metrics.queueing.backlog", lambda: 3)

    def told() -> set[str]:
        WorkerSeen.objects.create(worker="practice", seen_at=timezone.now())
        Client(raise_request_exception=False).get("/.well-known/jwks.json")
        return {name for name, _ in samples(Client())}

    return told
