"""How EOS keeps secrets: what was typed in plain comes back hashed or encrypted.

- `username ... secret`: SHA-512 crypt with a salt of its own, another one each time.
- `tacacs-server ... key`: type 7, Cisco's well-known scheme, with an offset of its own each time.
- `neighbor ... password`: type 7 as DES-CBC keyed by the neighbour's name; the same each time.
- `snmp-server user`: keys localized to the engine (RFC 3414); the same each time.

Sources: the command reference (https://www.arista.com/en/um-eos); SHA-crypt, Ulrich Drepper
(https://www.akkadia.org/drepper/SHA-crypt.txt); type 7 for BGP: Kristian Köhntopp,
https://blog.koehntopp.info/2021/11/22/arista-type-7-passwords.html.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from collections.abc import Callable
from functools import lru_cache

from cryptography.hazmat.primitives.ciphers import Cipher, modes

from fabric.platforms.sha512crypt import sha512_crypt

TYPE7 = b"dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87"
"""The key stream of type 7. Public since 1995."""

SALT = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ENGINE_ID = bytes.fromhex("f5717f001c730000000000")
"""SNMP engine of an emulated switch: Arista's enterprise number, and a MAC address."""


def tokens_before(text: str, word: str) -> tuple[str, str]:
    """What stands up to the last `word`, and what follows it."""
    head, _, tail = f" {text}".rpartition(f" {word} ")
    return f"{head} {word}".strip(), tail


def plain(tail: str) -> str | None:
    """The secret of `0 SECRET` or `SECRET`; None if it is already encoded."""
    kind, _, value = tail.partition(" ")
    if not value:
        return kind
    return value if kind == "0" else None


def user(text: str) -> str:
    """`username` and `enable password` lines: hash what is plain."""
    word = "secret" if " secret " in text else "password"
    head, tail = tokens_before(text, word)
    secret = plain(tail) if tail else None
    if secret is None or text.endswith(" nopassword"):
        return text
    salt = "".join(secrets.choice(SALT) for _ in range(16))
    return f"{head} sha512 {sha512_crypt(secret, salt)}"


def type7(text: str) -> str:
    """TACACS+ lines: encrypt what is plain."""
    head, tail = tokens_before(text, "key")
    secret = plain(tail) if tail else None
    return text if secret is None else f"{head} 7 {encrypt7(secret, secrets.randbelow(16))}"


def encrypt7(secret: str, offset: int) -> str:
    """A secret in type 7, from a place in the key stream."""
    masked = bytes(b ^ TYPE7[(offset + i) % len(TYPE7)] for i, b in enumerate(secret.encode()))
    return f"{offset:02d}{masked.hex().upper()}"


def neighbor(text: str) -> str:
    """BGP passwords: encrypt what is plain, with the neighbour's name as key."""
    head, tail = tokens_before(text, "password")
    secret = plain(tail)
    return text if secret is None else f"{head} 7 {encrypt_cbc(secret, text.split()[1])}"


DES_SEED = bytes.fromhex("d5a8c91ef5d58a23")
SIGNATURE = bytes.fromhex("4c88bb")


def _des_key(name: str) -> bytes:
    """The DES key of a name: its bytes folded over the seed, with odd parity."""
    folded = bytearray(DES_SEED)
    for i, byte in enumerate(f"{name}_passwd".encode()):
        folded[i & 7] ^= byte
    cleared = (byte & 0x7E for byte in folded)
    return bytes(byte | (byte.bit_count() + 1) % 2 for byte in cleared)


def _cipher(name: str) -> Cipher[modes.CBC]:
    from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES  # slow, and rare

    # Single DES is three-key DES with one key three times.
    return Cipher(TripleDES(_des_key(name) * 3), modes.CBC(bytes(8)))


@lru_cache(maxsize=65536)
def encrypt_cbc(secret: str, name: str) -> str:
    """A BGP password as EOS shows it for the neighbour or group `name`."""
    data = secret.encode()
    padding = -(len(data) + 4) % 8
    clear = SIGNATURE + bytes([padding * 16 + 14]) + data + bytes(padding)
    encryptor = _cipher(name).encryptor()
    return base64.b64encode(encryptor.update(clear) + encryptor.finalize()).decode()


@lru_cache(maxsize=65536)
def decrypt_cbc(encoded: str, name: str) -> str | None:
    """The BGP password; None if the text was not made for that name."""
    try:
        data = base64.b64decode(encoded, validate=True)
        decryptor = _cipher(name).decryptor()
        clear = decryptor.update(data) + decryptor.finalize()
    except ValueError:
        return None
    if clear[:3] != SIGNATURE:
        return None
    padding = clear[3] >> 4
    return clear[4 : len(clear) - padding].decode(errors="replace")


HASHES = {
    "md5": "md5",
    "sha": "sha1",
    "sha224": "sha224",
    "sha256": "sha256",
    "sha384": "sha384",
    "sha512": "sha512",
}
KEY_BYTES = {"des": 16, "aes": 16, "aes192": 24, "aes256": 32}


def snmp_user(text: str) -> str:
    """SNMPv3 users: localize the keys of pass phrases."""
    tokens = text.split()
    if "localized" in tokens or "auth" not in tokens[4:]:
        return text
    auth = tokens.index("auth", 4)
    digest = HASHES[tokens[auth + 1]]
    shown = [
        *tokens[:auth],
        "localized",
        ENGINE_ID.hex(),
        "auth",
        tokens[auth + 1],
        localized(tokens[auth + 2], digest).hex(),
    ]
    if len(tokens) > auth + 3:
        kind, phrase = tokens[auth + 4 : auth + 6]
        shown += ["priv", kind, _extended(localized(phrase, digest), digest, KEY_BYTES[kind]).hex()]
    return " ".join(shown)


@lru_cache(maxsize=1024)
def localized(phrase: str, digest: str) -> bytes:
    """Key of a pass phrase for our engine: RFC 3414, appendix A.2."""
    data = phrase.encode()
    repeated = (data * (1048576 // len(data) + 1))[:1048576]
    key = hashlib.new(digest, repeated).digest()
    return hashlib.new(digest, key + ENGINE_ID + key).digest()


def _extended(key: bytes, digest: str, size_bytes: int) -> bytes:
    """A key of at least `size_bytes`: further hashes of the key are appended (draft-reeder-snmpv3-usm-3desede)."""
    while len(key) < size_bytes:
        key += hashlib.new(digest, key).digest()
    return key[:size_bytes]


ENCODERS: dict[str, Callable[[str], str]] = {
    "sha512": user,
    "type7": type7,
    "neighbor": neighbor,
    "snmp-user": snmp_user,
}


@lru_cache(maxsize=64)
def hashed(password: str) -> str:
    """A password as a new switch stores it; equal within a process, since hashing is slow on purpose."""
    return sha512_crypt(password, "".join(secrets.choice(SALT) for _ in range(16)))


@lru_cache(maxsize=4096)
def accepts(stored: str, password: str) -> bool:
    """Whether a password is that of a stored SHA-512 crypt hash."""
    salt = stored.split("$")[2] if stored.startswith("$6$") and stored.count("$") == 3 else ""
    return bool(salt) and secrets.compare_digest(sha512_crypt(password, salt), stored)
