import type { Event, EventDraft } from '../events/envelope.ts';
import { systemEvent } from '../events/system-event.ts';
import type { AccountId } from '../id/account-id.ts';
import type { EventData } from '../resources/registry.ts';

type IntegrationError = EventData['partner_integration_error'];

export const integrationErrorDraft = (account: AccountId, data: IntegrationError): EventDraft => ({
  kind: 'partner_integration_error',
  subject: { type: 'account', id: account },
  data,
});

export const integrationError = (account: AccountId, data: IntegrationError, now: Date): Event =>
  systemEvent(integrationErrorDraft(account, data), { account, now, schedule: 'partner' });
