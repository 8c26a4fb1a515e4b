"""Let others verify a credential: libraries that share no line with Sabot, with no more than a holder has.

    python -m venv /tmp/others && /tmp/others/bin/pip install openbadgeslib==4.6.3 jwcrypto==1.6.1 PyLD==3.3.0
    /tmp/others/bin/python tests/independent_check.py CREDENTIAL.jwt [BADGE.png] [BADGE.svg]

The key is found from the token alone, the status list from the credential, both by HTTP from a running Sabot. Ends with
0 where all agree that it is good, 3 where it is genuine but its status says otherwise, and with an error in words where
anything is wrong. No part of the suite, since its libraries are none of ours; `docs/operating.md` says what it found.
"""

# ruff: noqa: T201
import json
import sys
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import urlopen

CLAIMS = {"iss", "jti", "sub", "iat", "nbf", "exp"}


def fetched(address: str) -> bytes:
    with urlopen(address, timeout=10) as answer:
        content: bytes = answer.read()
        allowed = answer.headers.get("Access-Control-Allow-Origin")
    if allowed != "*":
        raise SystemExit(f"a page of another host could not read {address}")
    return content


def opened_with_a_generic_library(token: str) -> tuple[bytes, dict]:  # type: ignore[type-arg]
    """jwcrypto knows nothing of badges: header, key by its address, signature. The key must lie where the issuer is:
    otherwise whoever signs for themselves could name a key of their own."""
    from jwcrypto import jwk, jws  # type: ignore[import-untyped]
    from jwcrypto.common import JWException  # type: ignore[import-untyped]

    signed = jws.JWS()
    try:
        signed.deserialize(token)
        address = json.loads(signed.objects["protected"])["kid"]
        key = jwk.JWK.from_json(fetched(address))
        signed.verify(key)
    except (JWException, OSError, KeyError, ValueError) as error:
        raise SystemExit(f"jwcrypto: not signed by a key that can be found: {error}") from error
    claims = json.loads(signed.payload)
    if urlsplit(address)[:2] != urlsplit(claims["iss"])[:2]:
        raise SystemExit(f"the key lies at {address}, which is not where the issuer {claims['iss']} is")
    print("jwcrypto: the key was found from the token alone and the signature fits")
    return key.export_to_pem(), claims


def verified_as_a_badge(token: str, pem: bytes) -> bool:
    """openbadgeslib: structure, dates, and the status list with its own signature."""
    from openbadgeslib.ob3 import OB3VerificationError, OB3Verifier  # type: ignore[import-not-found]

    verifier = OB3Verifier(pem)
    try:
        credential = verifier.verify(token)
    except OB3VerificationError as refusal:
        raise SystemExit(f"openbadgeslib: no good Open Badge 3.0: {refusal}") from refusal
    print(f"openbadgeslib: a good Open Badge 3.0 of {credential.issuer.name}: {credential.achievement.name}")
    try:
        verifier.check_status(credential, verify_list=True, download=fetched)
    except OB3VerificationError as refusal:
        print(f"openbadgeslib: not to be accepted now: {refusal}")
        return False
    print("openbadgeslib: the status list is signed by the same issuer and says nothing against it")
    return True


def taken_out_of(path: Path) -> str:
    from openbadgeslib.ob3 import OB3Verifier

    take = OB3Verifier.extract_token_from_png if path.suffix == ".png" else OB3Verifier.extract_token_from_svg
    return str(take(path.read_bytes()))


def expanded_without_loss(claims: dict) -> None:  # type: ignore[type-arg]
    """PyLD expands and compacts again with the contexts that openbadgeslib brings: what comes back is what went in."""
    from openbadgeslib.ob3.contexts import load_context  # type: ignore[import-not-found]
    from pyld import jsonld  # type: ignore[import-not-found]

    def loader(address: str, _options: object) -> dict:  # type: ignore[type-arg]
        return {"contextUrl": None, "documentUrl": address, "document": load_context(address)}

    credential = {name: value for name, value in claims.items() if name not in CLAIMS}
    options = {"documentLoader": loader}
    again = jsonld.compact(jsonld.expand(credential, options), credential["@context"], options)
    if (lost := leaves(credential) - leaves(again)) or leaves(again) - leaves(credential):
        raise SystemExit(f"PyLD: lost or changed in expansion: {sorted(lost)}")
    print(f"PyLD: {len(leaves(credential))} values expanded and compacted again, none lost")


def leaves(node: object, where: str = "") -> set[str]:
    """Every value with the way to it; a list of one is written like the one."""
    if isinstance(node, dict):
        return {leaf for name, value in node.items() for leaf in leaves(value, f"{where}/{name}")}
    if isinstance(node, list):
        return {leaf for value in node for leaf in leaves(value, where)}
    return {f"{where}={node}"}


def main(token: Path, *badges: str) -> int:
    text = token.read_text().strip()
    pem, claims = opened_with_a_generic_library(text)
    good = verified_as_a_badge(text, pem)
    expanded_without_loss(claims)
    for path in map(Path, badges):
        if taken_out_of(path) != text:
            raise SystemExit(f"openbadgeslib: in {path.name} is another credential")
        print(f"openbadgeslib: in {path.name} is the same credential")
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), *sys.argv[2:]))
