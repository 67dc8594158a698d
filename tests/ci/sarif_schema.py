"""The schema of SARIF 2.1.0 with its errata, as OASIS publishes it.

No registry has that file. npm's `@microsoft/jest-sarif` has the one that it came from; what the errata changed is told here, and
that the outcome is the official schema is said by its hash.
"""

import hashlib
import json

# The hash of https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json without what does
# not decide what is valid, as `essence` has it. The file itself: sha256 c3b4bb2d6093897483348925aaa73af03b3e3f4bd4ca38cef26dcb4212a2682e.
OFFICIAL = "4298f86d174ede097e1510d42674a3f0f4f3748ce54e49f36c4a5bd8c706cb44"

STRINGS = [
    "artifact/properties/roles/items",
    "externalProperties/properties/version",
    "notification/properties/level",
    "reportingConfiguration/properties/level",
    "result/properties/baselineState",
    "result/properties/kind",
    "result/properties/level",
    "run/properties/columnKind",
    "suppression/properties/kind",
    "suppression/properties/status",
    "threadFlowLocation/properties/importance",
    "toolComponent/properties/contents/items",
]
LANGUAGES = ["run/properties/language", "toolComponent/properties/language"]


def load(packages):
    """The schema, from the folder `node_modules` at `packages`."""
    path = packages / "@microsoft" / "jest-sarif" / "lib" / "schemas" / "sarif-2.1.0-rtm.5.json"
    schema = json.loads(path.read_text(encoding="utf-8-sig"))
    definitions = schema["definitions"]
    for place in STRINGS:
        at(definitions, place)["type"] = "string"
    for place in LANGUAGES:
        at(definitions, place)["pattern"] = "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$"
    definitions["region"]["anyOf"] = [{"required": [key]} for key in ("startLine", "charOffset", "byteOffset")]
    schema["properties"]["version"]["type"] = "string"
    schema["properties"]["runs"]["type"] = ["array", "null"]
    found = fingerprint(schema)
    assert found == OFFICIAL, f"this is not the official schema: {found}"
    return schema


def fingerprint(schema):
    return hashlib.sha256(json.dumps(essence(schema), sort_keys=True).encode()).hexdigest()


def essence(schema, names=False):
    """`schema` without its name and its descriptions; `names` says whether the keys are names of properties."""
    if isinstance(schema, list):
        return [essence(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: value for key, value in schema.items() if names or key not in ("id", "$id", "title", "description")}
    return {key: essence(value, not names and key in ("properties", "definitions")) for key, value in kept.items()}


def at(definitions, place):
    for key in place.split("/"):
        definitions = definitions[key]
    return definitions
