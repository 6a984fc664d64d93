import type { AccountId } from '../id/account-id.ts';
import type { EventData } from '../resources/registry.ts';
import type { EventDraft } from './envelope.ts';

type UnnamedChange = EventData['no_event_name'];

/**
 * Returns the event of a change for which the interface has no event kind. It names the record by its id only, because the
 * content may be private.
 */
export const unnamedChange = (
  account: AccountId,
  resource: UnnamedChange['resource'],
  change: UnnamedChange['change'],
  record: { id: number },
): EventDraft[] => [
  {
    kind: 'no_event_name',
    subject: { type: 'account', id: account },
    data: { resource, change, recordId: record.id },
  },
];
