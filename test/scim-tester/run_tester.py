"""Checks a SCIM server with scim2-tester, and prints the results as JSON: run_tester.py <address> <token>."""

import json
import sys
import uuid

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import check_server, filling
from scim2_tester.checkers import patch_add, patch_remove, patch_replace

random_value = filling.generate_random_value


def with_addresses(context, path, **rules):
    """Our users sign in with an email address as userName (RFC 7643, 4.1.1 leaves its form to the server)."""
    value = random_value(context, path=path, **rules)
    is_name = str(path).endswith("userName") and value is not None
    return f"{uuid.uuid4()}@example.com" if is_name else value


for module in (filling, patch_add, patch_remove, patch_replace):
    module.generate_random_value = with_addresses

address, token = sys.argv[1:]
headers = {"Authorization": f"Bearer {token}"}
client = SyncSCIMClient(httpx2.Client(base_url=address, headers=headers, timeout=60))
results = check_server(client)
print(
    json.dumps(
        [
            {
                "status": result.status.name,
                "title": result.title,
                "type": result.resource_type,
                "reason": str(result.reason),
            }
            for result in results
        ]
    )
)
