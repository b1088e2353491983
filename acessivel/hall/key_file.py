# SPDX-License-Identifier: GPL-3.0-or-later
"""The key of a table as a file: which table, its secret, and the certificate by which it knows its hall."""

from __future__ import annotations

import datetime as dt
import json
import ssl
import tomllib
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from acessivel.storage import private_files

_VALID = dt.timedelta(days=3650)
_SIGNS = x509.KeyUsage(
    digital_signature=True,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    key_cert_sign=True,
    crl_sign=False,
    encipher_only=False,
    decipher_only=False,
)
_CERTIFICATE, _SECRET = "hall.crt", "hall.pem"


@dataclass(frozen=True, slots=True)
class TableKey:
    """The key of a table; `certificate`: PEM of the hall's own one, "" if a known authority has signed it."""

    table: int
    key: str
    certificate: str = ""


def write(path: Path, key: TableKey) -> None:
    """Write a key to a file that only its owner may read. Raises OSError."""
    private_files.make_file(path)
    private_files.restrict(path)
    text = f"table = {key.table}\nkey = {json.dumps(key.key)}\n"
    if key.certificate:
        text += f'certificate = """\n{key.certificate}"""\n'
    path.write_text(text, "utf-8")


def read(path: Path) -> TableKey:
    """Read the key in a file. Raises OSError, and ValueError if there is none in it."""
    found = tomllib.loads(path.read_text("utf-8"))
    table, key, certificate = found.get("table"), found.get("key"), found.get("certificate", "")
    if not (isinstance(table, int) and isinstance(key, str) and isinstance(certificate, str)):
        raise ValueError(path.name)  # noqa: TRY004  # of a file, as any other mistake in it
    return TableKey(table, key, certificate)


def context(key: TableKey) -> ssl.SSLContext:
    """How a table makes sure that it talks to its hall: by that one certificate, whatever its address is."""
    if not key.certificate:
        return ssl.create_default_context()
    made = ssl.create_default_context(cadata=key.certificate)
    made.check_hostname = False
    return made


def own_certificate(folder: Path) -> tuple[Path, Path]:
    """The files of the hall's own certificate and its secret, made once. Raises OSError.

    On P-256: PostgreSQL knows no channel binding with Ed25519, and a hall may go on to use it there.
    """
    certificate, secret = folder / _CERTIFICATE, folder / _SECRET
    if certificate.exists() and secret.exists():
        return certificate, secret
    made = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "acessivel hall")])
    now = dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder(name, name, made.public_key(), x509.random_serial_number(), now, now + _VALID)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("hall")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_SIGNS, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(made.public_key()), critical=False)
        .sign(made, hashes.SHA256())
    )
    private_files.make_folder(folder)
    private_files.make_file(secret)
    secret.write_bytes(
        made.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    return certificate, secret
