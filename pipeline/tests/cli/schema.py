"""Reads {"schema": ..., "configs": {name: config}} and prints what is wrong with each config, by the schema, as JSON."""

import json
import sys

import jsonschema

asked = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(asked["schema"])
validator = jsonschema.Draft202012Validator(asked["schema"])
problems = {
    name: [f"{error.json_path}: {error.message}" for error in validator.iter_errors(config)]
    for name, config in asked["configs"].items()
}
print(json.dumps(problems))
