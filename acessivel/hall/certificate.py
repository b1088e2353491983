# SPDX-License-Identifier: GPL-3.0-or-later
"""The hall's own certificate, by which its tables know it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from acessivel.storage import private_files

# A table's clock may be wrong, and it trusts this one certificate for what it is.
_FROM, _UNTIL = dt.datetime(2000, 1, 1, tzinfo=dt.UTC), dt.datetime(2100, 1, 1, tzinfo=dt.UTC)
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


def own_certificate(folder: Path) -> tuple[Path, Path]:
    """The files of the hall's own certificate and its secret, made once. Raises OSError.

    On P-256: PostgreSQL knows no channel binding with Ed25519, and a hall may go on to use it there.
    """
    certificate, secret = folder / _CERTIFICATE, folder / _SECRET
    if certificate.exists() and secret.exists():
        return certificate, secret
    made = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "acessivel hall")])
    signed = (
        x509.CertificateBuilder(name, name, made.public_key(), x509.random_serial_number(), _FROM, _UNTIL)
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
