"""Signs in, creates leads, and reads the list by cursor. Uses the client that openapi-python-client generates."""

import os

from merchant_operations_client import AuthenticatedClient, Client
from merchant_operations_client.api.authentication import log_in
from merchant_operations_client.api.leads import create_lead, list_leads
from merchant_operations_client.models import Lead, LeadInput, LogInInput, LoginResult

base_url = os.environ["BASE_URL"]
credentials = LogInInput(api_key=os.environ["API_KEY"], api_secret=os.environ["API_SECRET"])
session = log_in.sync(client=Client(base_url), body=credentials)
if not isinstance(session, LoginResult):
    raise SystemExit(session)

client = AuthenticatedClient(base_url, session.token)
for name in ("Ada", "Grace", "Mary"):
    lead = create_lead.sync(client=client, body=LeadInput(first_name=name, last_name="Byron"))
    if not isinstance(lead, Lead):
        raise SystemExit(lead)

cursor = ""
while cursor is not None:
    page = list_leads.sync(client=client, cursor=cursor, page_size=2)
    print(*[lead.first_name for lead in page.data])
    cursor = page.next_cursor
