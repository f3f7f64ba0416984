"""Import an exported folder into a Nautobot as its pages do, and print what it holds afterwards, as JSON.

Run by the Python that Nautobot is installed in: load_site.py FOLDER. CSV files go through its job "Import Objects",
device types through the form of their page, cables through the REST API, with UUIDs in the place of names.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import nautobot

nautobot.setup()

from django.contrib.auth import get_user_model  # noqa: E402  # Django's models need the setup
from django.contrib.contenttypes.models import ContentType  # noqa: E402
from django.core.management import call_command  # noqa: E402
from nautobot.dcim.models import Cable, Device, DeviceType, Interface  # noqa: E402
from nautobot.extras.management import populate_status_choices  # noqa: E402
from nautobot.extras.models import Job, JobResult  # noqa: E402
from nautobot.ipam.models import IPAddress, IPAddressToInterface, Prefix, get_default_namespace  # noqa: E402
from rest_framework.test import APIClient  # noqa: E402

MODELS = {
    "manufacturers": "dcim.manufacturer",
    "roles": "extras.role",
    "platforms": "dcim.platform",
    "location-types": "dcim.locationtype",
    "locations": "dcim.location",
    "racks": "dcim.rack",
    "devices": "dcim.device",
    "interfaces": "dcim.interface",
    "namespaces": "ipam.namespace",
    "vrfs": "ipam.vrf",
    "prefixes": "ipam.prefix",
    "ip-addresses": "ipam.ipaddress",
    "assignments": "ipam.ipaddresstointerface",
}


def prepare() -> None:
    """An empty database becomes one as Nautobot is installed with."""
    call_command("migrate", run_syncdb=True, verbosity=0)
    populate_status_choices()
    get_default_namespace()


class Importer:
    """Somebody who may do everything, at each of the pages."""

    def __init__(self) -> None:
        self.user = get_user_model().objects.create_superuser("tester", "tester@example.com", "tester")
        self.client = APIClient()
        self.client.force_login(self.user)
        self.job = Job.objects.get(module_name="nautobot.core.jobs", job_class_name="ImportObjects")
        Job.objects.filter(pk=self.job.pk).update(enabled=True)
        self.job.refresh_from_db()

    def take(self, file: Path) -> list[str]:
        """Import a file or a folder; what Nautobot has against it."""
        table = file.stem[3:]
        if table == "device-types":
            return [fault for path in sorted(file.iterdir()) for fault in self.device_type(path)]
        return self.cables(file) if file.suffix == ".json" else self.table(file, MODELS[table])

    def table(self, file: Path, model: str) -> list[str]:
        """Rows of a CSV file."""
        kind = ContentType.objects.get_by_natural_key(*model.split("."))
        given = {"content_type": kind.pk, "csv_data": file.read_text(), "roll_back_if_error": True}
        done = JobResult.execute_job(self.job, self.user, job_kwargs=given)
        done.refresh_from_db()
        entries = done.job_log_entries.filter(log_level__in=("error", "critical", "failure"))
        faults = [entry.message for entry in entries]
        return faults if faults or done.status == "SUCCESS" else [f"{done.status} {done.result}"]

    def device_type(self, file: Path) -> list[str]:
        """A file of the device-type library."""
        given = {"format": "yaml", "data": file.read_text()}
        answer = self.client.post("/dcim/device-types/import/", given)
        return [] if answer.status_code == 302 else [str(answer.context["form"].errors)]

    def cables(self, file: Path) -> list[str]:
        """Names of ends become UUIDs."""
        wanted = []
        for cable in json.loads(file.read_text()):
            ends = {name: cable.pop(name) for name in ("termination_a", "termination_b")}
            for name, end in ends.items():
                asked = self.client.get(
                    "/api/dcim/interfaces/", {"device": end["device"], "name": end["name"], "depth": 0}
                )
                (interface,) = asked.json()["results"]
                cable[f"{name}_id"] = interface["id"]
            wanted.append(cable)
        answer = self.client.post("/api/dcim/cables/", wanted, format="json")
        return [] if answer.status_code == 201 else [answer.content.decode()[:3000]]


def held() -> dict[str, object]:
    """What there is now, by names."""
    joined = Cable.objects.all()
    return {
        "devices": sorted(Device.objects.values_list("name", flat=True)),
        "types": sorted(DeviceType.objects.values_list("model", flat=True)),
        "interfaces": sorted(map(list, Interface.objects.values_list("device__name", "name"))),
        "cables": sorted(
            sorted([end.device.name, end.name] for end in (cable.termination_a, cable.termination_b))
            for cable in joined
        ),
        "prefixes": Prefix.objects.count(),
        "orphans": IPAddress.objects.filter(parent__isnull=True).count(),
        "addresses": sorted(
            map(
                list,
                IPAddressToInterface.objects.values_list(
                    "interface__device__name", "interface__name", "ip_address__host"
                ),
            )
        ),
    }


def main() -> None:
    prepare()
    folder, importer = Path(sys.argv[1]), Importer()
    faults = {}
    for file in sorted(folder.iterdir()):
        if file.name[:2].isdigit():
            found = importer.take(file)
            if found:
                faults[file.name] = found
                break  # what follows needs it
    sys.stdout.write(json.dumps({"faults": faults, "held": held()}) + "\n")


if __name__ == "__main__":
    main()
