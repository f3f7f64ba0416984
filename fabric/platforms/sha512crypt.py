"""SHA-512 crypt, the hash of `$6$`: https://www.akkadia.org/drepper/SHA-crypt.txt (public domain)."""

from __future__ import annotations

from hashlib import sha512

ROUNDS = 5000
ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def sha512_crypt(password: str, salt: str) -> str:
    """`$6$salt$hash` of a password, with the usual 5,000 rounds. The salt is cut to 16 characters."""
    key, seed = password.encode(), salt[:16].encode()
    digest = _first(key, seed)
    p_bytes = _stretched(sha512(key * len(key)).digest(), len(key))
    s_bytes = _stretched(sha512(seed * (16 + digest[0])).digest(), len(seed))
    for number in range(ROUNDS):
        mixed = p_bytes if number % 2 else digest
        if number % 3:
            mixed += s_bytes
        if number % 7:
            mixed += p_bytes
        mixed += digest if number % 2 else p_bytes
        digest = sha512(mixed).digest()
    return f"$6${salt[:16]}${_encoded(digest)}"


def _first(key: bytes, seed: bytes) -> bytes:
    """The digest that the rounds start from (steps 1 to 12)."""
    alternate = sha512(key + seed + key).digest()
    mixed = key + seed + _stretched(alternate, len(key))
    length = len(key)
    while length:
        mixed += alternate if length & 1 else key
        length >>= 1
    return sha512(mixed).digest()


def _stretched(digest: bytes, size_bytes: int) -> bytes:
    return (digest * (size_bytes // 64 + 1))[:size_bytes]


def _encoded(digest: bytes) -> str:
    """The digest in the order and alphabet of the specification."""
    text = ""
    first, second, third = 0, 21, 42
    for _ in range(21):
        text += _characters(digest[first] << 16 | digest[second] << 8 | digest[third], 4)
        first, second, third = second + 1, third + 1, first + 1
    return text + _characters(digest[63], 2)


def _characters(value: int, count: int) -> str:
    return "".join(ALPHABET[value >> 6 * i & 63] for i in range(count))
