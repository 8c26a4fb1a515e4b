"""What is read anew whenever somebody asks: from the database, which says what waits, and from the broker. It does not
matter on which machine a worker runs, and any web process can answer for the whole installation.

Packages say what there is to tell through `platform.hooks.owed_work`, `operations.hooks.grading_times` and
`operations.hooks.counts`.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import structlog
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from training.celery import QUEUES, app, queue_name
from training.operations import heartbeats, hooks, software_release
from training.operations.metrics import queueing
from training.platform import hooks as platform_hooks

log = structlog.get_logger(__name__)

LATELY = timedelta(minutes=5)
QUANTILES = (0.5, 0.95, 1.0)


class Readings(Collector):
    """Reads each group of metrics on its own, so that a broken broker or database does not hide the others."""

    def collect(self) -> Iterator[Metric]:
        readings: dict[str, Callable[[], list[Metric]]] = {
            "owed": _read_owed,
            "latency": _read_times,
            "counts": _read_counts,
            "workers": _read_workers,
            "queues": _read_queues,
            "backlog": _read_backlog,
            "backups": _read_backups,
        }
        whole = GaugeMetricFamily("sabot_reading_ok", "1 if this could be read, 0 if not.", labels=["reading"])
        for name, read in readings.items():
            try:
                yield from read()
                whole.add_metric([name], 1)
            except Exception as error:  # each driver raises its own types
                log.warning("metrics_not_read", reading=name, error=type(error).__name__)
                whole.add_metric([name], 0)
        yield whole
        build = GaugeMetricFamily("sabot_build_info", "1, with the release.", labels=["version", "commit"])
        build.add_metric([software_release.version(), software_release.commit()[:12]], 1)
        yield build


def _read_owed() -> list[Metric]:
    labels = ["what", "queue"]
    waiting = GaugeMetricFamily("sabot_owed", "Pending work.", labels=labels)
    oldest = GaugeMetricFamily("sabot_owed_oldest_seconds", "How long the oldest has waited.", labels=labels)
    given_up = GaugeMetricFamily("sabot_given_up", "Work that failed and needs a person.", labels=labels)
    now = timezone.now()
    for kind in platform_hooks.owed_work():
        found, of = kind.oldest(), [kind.what, kind.queue]
        waiting.add_metric(of, kind.waiting.count() if found else 0)
        oldest.add_metric(of, max(0.0, (now - found).total_seconds()) if found else 0)
        given_up.add_metric(of, kind.given_up())
    return [waiting, oldest, given_up]


def _read_times() -> list[Metric]:
    took = GaugeMetricFamily(
        "sabot_grading_seconds",
        "From the answer to its mark, in the last five minutes; quantile 1 is the longest.",
        labels=["what", "quantile"],
    )
    done = GaugeMetricFamily("sabot_graded_lately", "How many were graded in the last five minutes.", labels=["what"])
    for what, spans in hooks.grading_times(LATELY):
        seconds = sorted(span.total_seconds() for span in spans)
        done.add_metric([what], len(seconds))
        for quantile in QUANTILES:
            place = min(len(seconds) - 1, int(quantile * len(seconds)))
            took.add_metric([what, f"{quantile:g}"], seconds[place] if seconds else 0)
    return [took, done]


def _read_counts() -> list[Metric]:
    return [GaugeMetricFamily(f"sabot_{count.name}", count.meaning, count.value) for count in hooks.counts()]


def _read_workers() -> list[Metric]:
    silence = GaugeMetricFamily(
        "sabot_worker_silence_seconds", "How long no worker has answered the heartbeat.", labels=["queue"]
    )
    for queue in QUEUES:
        if (since := heartbeats.silence(queue)) is not None:
            silence.add_metric([queue], max(0.0, since.total_seconds()))
    return [silence]


def _read_queues() -> list[Metric]:
    depth = GaugeMetricFamily("sabot_queue_messages", "Messages that no worker has taken yet.", labels=["queue"])
    with app.connection_for_read() as connection:
        if connection.transport.driver_type == "amqp":  # do not wait long for a broker that does not answer
            own = connection.transport_options or {}
            connection.transport_options = own | {"read_timeout": 2, "write_timeout": 2}
        connection.ensure_connection(max_retries=1, timeout=2)
        with connection.channel() as channel:
            for queue in QUEUES:
                told: Any = app.amqp.queues[queue_name(queue)].bind(channel).queue_declare()
                depth.add_metric([queue], told.message_count)
    return [depth]


def _read_backlog() -> list[Metric]:
    waiting = queueing.backlog()
    told = GaugeMetricFamily("sabot_backlog", "Requests that no web process of this machine has taken yet.")
    if waiting is not None:
        told.add_metric([], waiting)
    return [told]


def _read_backups() -> list[Metric]:
    """An age is infinite if there was no backup yet, so that the alarm also fires if backups were never set up."""
    return [
        GaugeMetricFamily("sabot_backup_age_seconds", "Since the last complete backup.", _age(heartbeats.BACKUP)),
        GaugeMetricFamily("sabot_backup_failed", "1 if the last backup failed.", int(heartbeats.backup_failed())),
        GaugeMetricFamily("sabot_backup_copy_age_seconds", "Since the last copy elsewhere.", _age(heartbeats.COPY)),
    ]


def _age(what: str) -> float:
    since = heartbeats.silence(what)
    return float("inf") if since is None else max(0.0, since.total_seconds())
