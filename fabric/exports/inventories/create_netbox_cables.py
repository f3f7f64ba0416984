"""Create the cables of a JSON file in NetBox over its REST API: NETBOX_URL, NETBOX_TOKEN, then the file's name.

Nothing but Python's own library. Where a cable is plugged already nothing is done, and nothing is changed or deleted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

JSON = "application/json"


def authorization(token: str) -> str:
    """The header of a token: of version 2 with its prefix, else of version 1."""
    return f"Bearer {token}" if token.startswith("nbt_") else f"Token {token}"


def ask(path: str, body: Mapping[str, Any] | None = None) -> Any:
    """One request; raises on an error of HTTP."""
    url = os.environ["NETBOX_URL"].rstrip("/")
    if not url.startswith("https://"):
        message = f"NETBOX_URL: {url!r} is not https: the token would be readable"
        raise SystemExit(message)
    headers = {"Authorization": authorization(os.environ["NETBOX_TOKEN"]), "Accept": JSON}
    data = None if body is None else json.dumps(body).encode()
    request = Request(f"{url}/api/{path}", data, {**headers, "Content-Type": JSON})  # noqa: S310  # https, above
    with urlopen(request, timeout=60) as answer:  # noqa: S310  # https, above
        return json.load(answer)


@cache
def interface(site: str, device: str, name: str) -> Mapping[str, Any]:
    """The record of an interface; ends the program if there is not exactly one."""
    answer = ask(f"dcim/interfaces/?{urlencode({'site': site, 'device': device, 'name': name})}")
    if answer["count"] != 1:
        message = f"{device} {name}: {answer['count']} interfaces of this name in {site}, 1 expected"
        raise SystemExit(message)
    record: Mapping[str, Any] = answer["results"][0]
    return record


def create(cable: Mapping[str, Any]) -> bool:
    """Create one cable; False if something is plugged where it goes."""
    ends = {
        side: [interface(end["site"], end["device"], end["name"]) for end in cable[side]]
        for side in ("a_terminations", "b_terminations")
    }
    if any(record["cable"] for records in ends.values() for record in records):
        return False
    terminations = {
        side: [{"object_type": "dcim.interface", "object_id": record["id"]} for record in records]
        for side, records in ends.items()
    }
    ask("dcim/cables/", {**cable, **terminations})
    return True


def main(file: str) -> None:
    """Create every cable of a file."""
    cables = json.loads(Path(file).read_text(encoding="utf-8"))
    created = sum(create(cable) for cable in cables)
    sys.stdout.write(f"{len(cables)} cables: {created} created, {len(cables) - created} plugged already\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
