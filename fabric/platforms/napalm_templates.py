"""Where NAPALM looks for the templates by which it reads answers: beside its own drivers, not beside ours."""

from __future__ import annotations


class NapalmTemplates:
    """Base of a driver that is made from one of NAPALM's.

    `napalm.base.helpers.textfsm_extractor` walks the classes of a driver, the last derived first, and logs an error for
    each whose folder has no such template: one for each answer of a switch.
    """

    @classmethod
    def mro(cls) -> list[type]:
        """The classes that are NAPALM's; attributes are looked up by `__mro__`, which has all."""
        return [one for one in cls.__mro__ if one.__module__.startswith("napalm.")]
