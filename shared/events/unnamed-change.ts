import type { AccountId } from '../id/account-id.ts';
import { happeningChanges } from '../resources/derived.ts';
import type { Happening, HappeningData } from '../resources/registry.ts';
import type { EventDraft, Subject } from './envelope.ts';

/**
 * Returns the event of a change for which the interface has no event kind. `parent` is the changed record if it has an
 * audit log or is in the search index.
 *
 * To add a happening, declare it and its detail with `happeningsOf` in the file of the resource, and list it in the
 * contract's `happenings`. Add its cause to `infra/scenes/causes.ts`, and send the request in
 * `test/events/happenings.test.ts`. The list of GET /event-kinds, the filters and the documentation follow from the
 * declaration.
 */
export const unnamedChange = <H extends Happening>(
  account: AccountId,
  happening: H,
  record: { id: number },
  detail: HappeningData[H]['detail'],
  parent?: Subject['parent'],
): EventDraft[] => [
  {
    kind: 'no_event_name',
    subject: { type: 'account', id: account, ...(parent && { parent }) },
    // The cast is safe: the parameter types guarantee that the happening and its detail match.
    data: {
      ...happeningChanges[happening],
      recordId: record.id,
      happening,
      detail,
    } as HappeningData[Happening],
  },
];
