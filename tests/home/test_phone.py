"""What a phone needs to install Sabot, for anybody, and holding nothing of anybody's."""

from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse


def test_a_phone_can_install_it_and_says_when_there_is_no_network(db: None, client: Client) -> None:
    page = client.get(reverse("account_login")).content.decode()
    assert reverse("manifest") in page
    told = client.get(reverse("manifest")).json()
    assert (told["start_url"], told["display"], [icon["sizes"] for icon in told["icons"]]) == (
        "/",
        "standalone",
        ["192x192", "512x512"],
    )
    for size in (192, 512):
        path = finders.find(f"sabot/icon-{size}.png")
        assert path
        with open(path, "rb") as icon:  # noqa: PTH123 (as the finder gives it)
            head = icon.read(24)
        assert (head[1:4], int.from_bytes(head[16:20], "big")) == (b"PNG", size)
    worker = client.get(reverse("service_worker"))
    assert worker["Content-Type"].startswith("text/javascript")
    assert f'"{reverse("offline")}"' in worker.content.decode()
    assert "Sem rede" in client.get(reverse("offline")).content.decode()
