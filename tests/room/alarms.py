"""A real Prometheus with the shipped rules, which watches the installation for as long as the room lasts."""

import json
import shutil
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.operations.deploying import DEPLOY
from tests.running import free_port, until

CONFIG = """
global: {{scrape_interval: 5s, evaluation_interval: 5s}}
rule_files: [{rules}]
scrape_configs:
  - job_name: sabot
    static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


class Watch:
    def __init__(self, url: str) -> None:
        self.url = url

    def fired(self) -> list[str]:
        """The alarms that fired at any time, and those that were about to."""
        found = self.ask("max by (alertname, alertstate) (max_over_time(ALERTS[1h]))")
        return sorted(f"{one['alertname']} {one['alertstate']}" for one, _ in found)

    def number(self, query: str) -> float:
        return next((value for _, value in self.ask(query)), 0.0)

    def ask(self, query: str) -> list[tuple[dict[str, str], float]]:
        asked = urllib.parse.urlencode({"query": query})
        with urllib.request.urlopen(f"{self.url}/api/v1/query?{asked}", timeout=10) as response:
            result = json.load(response)["data"]["result"]
        return [(one["metric"], float(one["value"][1])) for one in result]

    def is_up(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/-/ready", timeout=2) as response:
                return bool(response.status == 200)
        except OSError:
            return False


@contextmanager
def watched(port: int, home: Path) -> Iterator[Watch | None]:
    """None where Prometheus is not installed."""
    program = shutil.which("prometheus")
    if program is None:
        yield None
        return
    own = free_port()
    config = home / "prometheus.yml"
    config.write_text(CONFIG.format(rules=DEPLOY / "prometheus/sabot-alerts.yaml", port=port))
    command = [
        *(program, f"--config.file={config}", f"--storage.tsdb.path={home}/data"),
        *(f"--web.listen-address=127.0.0.1:{own}", "--log.level=error"),
    ]
    running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        watch = Watch(f"http://127.0.0.1:{own}")
        until("Prometheus is ready", watch.is_up)
        yield watch
    finally:
        running.terminate()
        running.wait()
