"""Every alarm fires when it should and stops when the cause is gone: the shipped rules, run by Prometheus's tool."""

import shutil
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.operations.deploying import DEPLOY
from tests.services import missing

pytestmark = pytest.mark.services
RULES = DEPLOY / "prometheus/sabot-alerts.yaml"
REQUESTS = 'sabot_requests_total{view="home",status="200"}'


class Case(NamedTuple):
    """Samples a minute apart: all is well, then `bad` for as long as `minutes`, then well again.

    A counter is given by what it grows by each minute.
    """

    series: dict[str, tuple[float, float]]
    minutes: int
    counter: bool = False


CASES = {
    "SabotDown": Case({'up{job="sabot",instance="one"}': (1, 0)}, 3),
    "SabotCannotRead": Case({'sabot_reading_ok{reading="queues"}': (1, 0)}, 4),
    "SabotNoWorker": Case({'sabot_worker_silence_seconds{queue="exams"}': (5, 61)}, 3),
    "SabotWorkWaits": Case({'sabot_owed_oldest_seconds{what="answers",queue="practice"}': (0, 121)}, 4),
    "SabotBackgroundWaits": Case({'sabot_owed_oldest_seconds{what="mails",queue="background"}': (0, 1801)}, 7),
    "SabotGivenUp": Case({'sabot_given_up{what="answers"}': (0, 1)}, 2),
    "SabotMessagesPileUp": Case({'sabot_queue_messages{queue="practice"}': (1000, 1001)}, 7),
    "SabotErrors": Case({'sabot_errors_total{view="home"}': (0, 2), REQUESTS: (100, 100)}, 12, counter=True),
    "SabotErrorsInExams": Case(
        {'sabot_errors_total{view="save_response"}': (0, 1), "sabot_sittings_open": (1, 1)}, 3, counter=True
    ),
    "SabotPasswordSpraying": Case({"sabot_accounts_guessed_hour": (49, 50), "sabot_accounts_guessed_day": (0, 0)}, 2),
    "SabotSlow": Case(
        {
            'sabot_request_seconds_bucket{view="home",le="1"}': (100, 90),
            'sabot_request_seconds_bucket{view="home",le="5"}': (100, 100),
            'sabot_request_seconds_bucket{view="home",le="+Inf"}': (100, 100),
        },
        18,
        counter=True,
    ),
    "SabotSlowMarks": Case({'sabot_grading_seconds{what="exams",quantile="0.95"}': (1, 31)}, 7),
    "SabotQueues": Case({"sabot_backlog": (50, 51)}, 5),
    "SabotSignInsWait": Case({'sabot_sign_ins_put_off_total{by="proxy"}': (0, 30)}, 4, counter=True),
    "SabotRefused": Case({'sabot_proxy_refused_total{why="limit"}': (0, 30)}, 4, counter=True),
    "SabotTimeouts": Case({'sabot_proxy_refused_total{why="no answer"}': (0, 30)}, 4, counter=True),
    "SabotBackupMissing": Case({"sabot_backup_age_seconds": (26 * 3600, 26 * 3600 + 1)}, 18),
    "SabotBackupFailed": Case({"sabot_backup_failed": (0, 1)}, 2),
    "SabotBackupNotCopied": Case({"sabot_backup_copy_age_seconds": (50 * 3600, 50 * 3600 + 1)}, 18),
}
WELL, AFTER = 30, 30  # minutes before and after
OF_EXAMS = "sabot_sittings_open"  # a state beside a counter


def samples(name: str, case: Case) -> str:
    good, bad = case.series[name]
    counted = case.counter and name != OF_EXAMS
    found, total = [], 0.0
    for minute in range(WELL + case.minutes + AFTER):
        value = bad if WELL <= minute < WELL + case.minutes else good
        total = total + value if counted else value
        found.append(f"{total:g}")
    return " ".join(found)


def asked(alarm: str, case: Case) -> dict[str, Any]:
    firing = 'count by (alertname) (ALERTS{alertstate="firing"})'
    one = {"labels": f'{{alertname="{alarm}"}}', "value": 1}
    moments = {WELL - 1: [], WELL + case.minutes - 1: [one], WELL + case.minutes + AFTER - 1: []}
    return {
        "interval": "1m",
        "name": alarm,
        "input_series": [{"series": name, "values": samples(name, case)} for name in case.series],
        "promql_expr_test": [
            {"expr": firing, "eval_time": f"{minute}m", "exp_samples": expected} for minute, expected in moments.items()
        ],
    }


def judged(directory: Path, cases: dict[str, Case]) -> "subprocess.CompletedProcess[str]":
    promtool = shutil.which("promtool")
    if promtool is None:
        missing("promtool", FileNotFoundError("promtool"))
    tests = [asked(alarm, case) for alarm, case in cases.items()]
    path = directory / "tests.yaml"
    path.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "evaluation_interval": "1m", "tests": tests}))
    return subprocess.run([str(promtool), "test", "rules", str(path)], capture_output=True, text=True, check=False)


def test_every_alarm_fires_and_clears_and_no_other_with_it(tmp_path: Path) -> None:
    (group,) = yaml.safe_load(RULES.read_text())["groups"]
    assert set(CASES) == {rule["alert"] for rule in group["rules"]}
    done = judged(tmp_path, CASES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_alarm_that_stays_silent_is_noticed(tmp_path: Path) -> None:
    quiet = CASES["SabotQueues"]._replace(series={"sabot_backlog": (50, 50)})
    assert judged(tmp_path, {"SabotQueues": quiet}).returncode == 1
