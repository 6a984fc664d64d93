import type { AccountId } from '../id/account-id.ts';
import type { EventData } from '../resources/registry.ts';
import type { EventDraft, Subject } from './envelope.ts';

type UnnamedChange = EventData['no_event_name'];

/**
 * Returns the event of a change for which the interface has no event kind. It names the record by its id only, because the
 * content may be private. `parent` is the changed record if it has an audit log or is in the search index.
 */
export const unnamedChange = (
  account: AccountId,
  resource: UnnamedChange['resource'],
  change: UnnamedChange['change'],
  record: { id: number },
  parent?: Subject['parent'],
): EventDraft[] => [
  {
    kind: 'no_event_name',
    subject: { type: 'account', id: account, ...(parent && { parent }) },
    data: { resource, change, recordId: record.id },
  },
];
