"""Where secrets stand in the two files: masked, put in escaped, and refused where SONiC would not take them.

Sources: sonic-system-tacacs.yang passkey, sonic-snmp.yang SNMP_USER_*_PASSWORD; RFC 8259, section 7.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import count

import msgspec

from fabric.configuration.syntaxes.json_documents import load_json
from fabric.platforms.routing.vtysh_lines import mask_passwords
from fabric.platforms.texts import PART, split_parts

JSON, FRR = "config_db.json", "frr.conf"
"""The files, in their order."""
MASK = "<masked>"
PLACEHOLDER = re.compile(r"<secret:([^<>\s]+)>")
VALUE = r'"(?!(?:<secret:[^<>"]*>|<masked>|<ours>)?")[^"\\\n]*+(?:\\.[^"\\\n]*+)*"'
"""A text that is neither empty nor stands for a secret already."""
WORDS = ("passkey", "password", "secret", "_cak")
"""In the name of a field that is a secret. Looked for in small letters, as which they are found fast."""
FIELD = re.compile(rf'(?im)("[^"\n]*(?:passkey|password|secret|_cak)"\s*+:\s*+){VALUE}')
NTP_KEY = re.compile(rf'("value"\s*+:\s*+){VALUE}')
SNMP_KEY = re.compile(r'(?m)^(        )"[^"\\\n]*+(?:\\.[^"\\\n]*+)*"(: \{)')
TABLE = r'(?ms)^    "{}": \{{\n.*?^    \}}'
"""A table of the plain form."""
SNMP = (r"[^ @:]{8,64}", "8 to 64 characters without @ and :")
LIMITS = {
    ("TACPLUS", "passkey"): (r"[^ #,]{1,256}", "up to 256 characters without # and ,"),
    ("SNMP_USER", "SNMP_USER_AUTH_PASSWORD"): SNMP,
    ("SNMP_USER", "SNMP_USER_ENCRYPTION_PASSWORD"): SNMP,
}
"""Field to the pattern of its model, and that in words."""


def mask_text(text: str) -> str:
    """Both files without secrets: values of fields, and the names of SNMP communities, which keep their number."""
    lower = text.lower()
    if any(word in lower for word in WORDS):
        text = FIELD.sub(rf'\1"{MASK}"', text)
    if '"NTP_KEY"' in text:
        text = _in_table("NTP_KEY", text, lambda rows: NTP_KEY.sub(rf'\1"{MASK}"', rows))
    if '"SNMP_COMMUNITY"' in text:
        text = _in_table("SNMP_COMMUNITY", text, _numbered)
    return mask_passwords(text) if " password " in text else text


def _in_table(name: str, text: str, change: Callable[[str], str]) -> str:
    return re.sub(TABLE.format(name), lambda match: change(match[0]), text)


def _numbered(rows: str) -> str:
    """Names that stand for secrets differ from each other."""
    number = count(1)
    return SNMP_KEY.sub(lambda match: f'{match[1]}"{MASK}{next(number)}"{match[2]}', rows)


def fill(text: str, value_of: Callable[[str], str]) -> str:
    """Both files with every placeholder replaced. The text itself is what `split_parts` takes apart."""
    parts = split_parts(text)
    tables = PLACEHOLDER.sub(lambda match: escaped(value_of(match[1])), parts.get(JSON, ""))
    routing = PLACEHOLDER.sub(lambda match: value_of(match[1]), parts.get(FRR, ""))
    return f"{PART}{JSON}\n{tables}{PART}{FRR}\n{routing}"


def escaped(value: str) -> str:
    """A value as it stands between the quotes of a JSON text."""
    return msgspec.json.encode(value).decode()[1:-1]


def unfit(text: str, value_of: Callable[[str], str]) -> Iterator[str]:
    """The secrets that SONiC's models would refuse, by place, with what they take: never the value."""
    tables = load_json(split_parts(text).get(JSON, ""))
    for (table, field), (pattern, words) in LIMITS.items():
        for key, row in tables.get(table, {}).items():
            match = PLACEHOLDER.fullmatch(str(row.get(field, "")))
            if match is not None and not re.fullmatch(pattern, value_of(match[1])):
                yield f"{table}|{key} {field} ({match[1]}): SONiC takes {words}"
