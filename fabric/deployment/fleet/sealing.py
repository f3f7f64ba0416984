"""What passes a scheduler is sealed for one worker: nobody between this process and that one can read it.

Each side makes a pair of keys for one command (X25519), the shared secret becomes a key (HKDF), and each message is
encrypted and authenticated with it (AES-256-GCM). The keys are in the memory of both processes only. So what was sealed
for one worker is of no use to another, nor to the same worker after it was restarted.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from typing import Any

NONCE_BYTES = 12
"""What AES-GCM wants."""
KEY_BYTES = 32


class Unsealable(Exception):
    """It was not sealed by the other end, or not for this process."""


class Seal:
    """The key that two processes share."""

    def __init__(self, key: bytes) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # slow

        self._key = key
        self._cipher = AESGCM(key)

    def __repr__(self) -> str:
        return "Seal(***)"

    def close(self, message: bytes, about: str) -> bytes:
        """Encrypt a message. `about` says what it is, and is needed to open it."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, message, about.encode())

    def open(self, sealed: bytes, about: str) -> bytes:
        """The message. `Unsealable` if it is another one."""
        from cryptography.exceptions import InvalidTag  # slow

        try:
            return self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], about.encode())
        except (InvalidTag, ValueError):
            raise Unsealable(about) from None

    def fingerprint(self, name: str, value: str) -> bytes:
        """Tells whether both ends mean the same by a name. Says nothing of the value to anybody without the key."""
        return hmac.digest(self._key, f"{name}\0{value}".encode(), hashlib.sha256)


def key_pair() -> tuple[Any, bytes]:
    """A private key, and the public one that belongs to it."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey  # slow

    private = X25519PrivateKey.generate()
    return private, private.public_key().public_bytes_raw()


def shared(private: Any, other: bytes, purpose: str) -> Seal:
    """The seal of our private key and the other end's public one."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey  # slow
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    secret = private.exchange(X25519PublicKey.from_public_bytes(other))
    kdf = HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=f"fabric {purpose}".encode())
    return Seal(kdf.derive(secret))
