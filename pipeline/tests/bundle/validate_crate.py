"""Validates the RO-Crate in a folder with roc-validator, against the profile that it is told.

The context of RO-Crate 1.1 comes from the package rocrate, so that nothing but PyPI is needed; every other address is out of reach.
"""

import io
import pathlib
import sys

import requests
import rocrate
import urllib3

CONTEXT = pathlib.Path(rocrate.__file__).parent / "data" / "ro-crate.jsonld"


def send(_adapter, request, **_options):
    if request.url.rstrip("/") != "https://w3id.org/ro/crate/1.1/context":
        raise requests.ConnectionError(f"{request.url}: out of reach in this test")
    headers = {"Content-Type": "application/ld+json"}
    raw = urllib3.HTTPResponse(
        io.BytesIO(CONTEXT.read_bytes()), headers=headers, status=200, preload_content=False
    )
    response = requests.Response()
    response.status_code, response.raw, response.url, response.request = 200, raw, request.url, request
    response.headers.update(headers)
    return response


requests.adapters.HTTPAdapter.send = send

from rocrate_validator import services  # noqa: E402
from rocrate_validator.models import Severity, ValidationSettings  # noqa: E402

folder, profile, severity = sys.argv[1:]
settings = ValidationSettings(
    rocrate_uri=folder, profile_identifier=profile, requirement_severity=Severity[severity]
)
result = services.validate(settings)
for issue in result.get_issues():
    print(f"{issue.severity.name} {issue.check.identifier}: {issue.message}")
sys.exit(0 if result.passed() else 1)
