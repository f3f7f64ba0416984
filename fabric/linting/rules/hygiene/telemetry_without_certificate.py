"""Collectors can tell a switch from somebody else."""

from __future__ import annotations

from collections.abc import Iterator

from fabric.diagnostics import Origin
from fabric.linting.rule import Example, Found, rule
from fabric.linting.site import Linted


@rule(
    "FAB1811",
    "telemetry-without-certificate",
    "Streaming telemetry has no certificate of the site",
    why="A product that has no certificate makes one for itself. Collectors cannot verify it, so that they are told to "
    "take any, and send their password to whoever answers.",
    fix="Write `services.certificate` with the name of the certificate that your PKI puts on the switches.",
    source="OpenConfig gNMI specification, section 3.1: session security, authentication and RPC authorization",
    fails=Example("two-tier", "services: {gnmi: {port: 6030}}"),
    passes=Example("two-tier", "services: {gnmi: {port: 6030}, certificate: {name: fabric}}"),
)
def telemetry_without_certificate(site: Linted) -> Iterator[Found]:
    """`services.gnmi` is there and `services.certificate` is not."""
    services = site.intent.site.services
    if services.gnmi is not None and services.certificate is None:
        yield Found(
            Origin(("services", "gnmi")),
            f"gNMI on port {services.gnmi.port} shows a certificate that nobody can verify",
        )
