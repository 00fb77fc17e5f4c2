#!/usr/bin/env python3
"""Checks the data files under scenarios/ against their JSON Schemas, and the names they refer to.

    scripts/check_schemas.py [SCENARIOS_FOLDER]

A file says its kind in "format": "paceline/<kind>-<version>"; the schema is schema/<kind>-<version>.schema.json.
Ends with 77 (skipped) when the jsonschema package of Python is missing: what needs no schema is still checked.
"""

import json
import pathlib
import sys

SKIPPED = 77
NAMED_FOLDERS = ("devices", "clusters", "models", "presets")


def pointer(path):
    return "/" + "/".join(str(part) for part in path)


def load(files, problems):
    documents = {}
    for file in files:
        try:
            documents[file] = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            problems.append(f"{file}: {error}")
    return documents


def check_names(documents, problems):
    """Every name and alias is unique in its folder, equals the file's name, and a cluster's device exists."""
    known = {folder: {} for folder in NAMED_FOLDERS}
    for file, document in documents.items():
        folder = file.parent.name
        if folder not in known or "name" not in document:
            continue
        if document["name"] != file.stem:
            problems.append(f"{file}: /name: found {document['name']}, expected the file's name {file.stem}")
        for name in [document["name"], *document.get("aliases", [])]:
            if name in known[folder]:
                problems.append(f"{file}: the name {name} is also that of {known[folder][name]}")
            known[folder][name] = file
    for file, document in documents.items():
        if file.parent.name == "clusters" and document.get("device") not in known["devices"]:
            problems.append(f"{file}: /device: found {document.get('device')}, which no file in devices/ is called")


def check_schemas(documents, schemas, validators, problems):
    checked = 0
    for file, document in documents.items():
        kind = document.get("format", "") if isinstance(document, dict) else ""
        if not kind.startswith("paceline/"):
            problems.append(f'{file}: found no "format": "paceline/<kind>-<version>"')
            continue
        schema = schemas.get(kind.removeprefix("paceline/"))
        if schema is None:
            continue
        checked += 1
        for error in validators.Draft202012Validator(schema).iter_errors(document):
            problems.append(f"{file}: {pointer(error.absolute_path)}: {error.message[:300]}")
    return checked


def main():
    default = pathlib.Path(__file__).resolve().parent.parent / "scenarios"
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    problems = []
    schemas = {file.name.removesuffix(".schema.json"): schema
               for file, schema in load(sorted((root / "schema").glob("*.schema.json")), problems).items()}
    documents = load(sorted(file for file in root.rglob("*.json") if file.parent.name != "schema"), problems)
    if not documents or not schemas:
        sys.exit(f"{root}: found {len(documents)} data files and {len(schemas)} schemas, expected some of both")
    check_names(documents, problems)

    try:
        import jsonschema
    except ImportError:
        jsonschema = None
    if jsonschema:
        for name, schema in schemas.items():
            jsonschema.Draft202012Validator.check_schema(schema)
        checked = check_schemas(documents, schemas, jsonschema, problems)
        print(f"{checked} of {len(documents)} files checked against {len(schemas)} schemas")
    if problems:
        sys.exit("\n".join(problems))
    if not jsonschema:
        print("skipped: the schemas are not checked, because python3-jsonschema is not installed")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    main()
