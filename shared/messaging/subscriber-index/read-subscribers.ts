import type { AccountId } from '../../id/account-id.ts';
import { subscriberPartition, subscribersAfter, userKey } from '../../people/users/keys.ts';
import type { SubscriberIndexMarker } from '../../people/users/mark-subscriber-index.ts';
import { ifApplies, type OwnRule, ownRules } from '../../people/users/own-rules.ts';
import type { StoredUser } from '../../people/users/schema.ts';
import type { EventKind, Happening } from '../../resources/registry.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { currentReads, type Reads } from '../../table/read.ts';

interface SubscriberQuery {
  account: AccountId;
  kind: EventKind;
  happening?: Happening;
  /** Users to include even if they have no rule. */
  also?: readonly number[];
  administrators?: boolean;
  /** Only users with larger ids. Default: all. */
  after?: number;
  most: number;
}

interface SubscriberPage {
  /** The users by ascending id, each with the user's own rule for the kind, if there is one. */
  rules: Map<number, OwnRule | undefined>;
  /** The id of the last user of the page; absent if no more users follow. */
  upTo?: number;
  /** The first marker of a user whose rows are outdated. */
  marker?: SubscriberIndexMarker;
}

/**
 * Finds users who may be recipients of a kind of event, without reading memberships. Reads the markers before
 * the rows, with strong consistency, so that the rows of unmarked users are current. For marked users, reads the user
 * record instead of the rows, so that changed rules apply immediately.
 */
export async function readSubscribers(
  { account, kind, happening, also = [], administrators = false, after = 0, most }: SubscriberQuery,
  reads: Reads = currentReads,
): Promise<SubscriberPage> {
  const sortKey = subscribersAfter(after);
  const read = (of: 'CHANGED' | 'ADMINISTRATORS' | EventKind, limit?: number) =>
    reads.queryItems({ partition: subscriberPartition(account, of), sortKey, limit });
  const markers = (await read('CHANGED')).map((item) => recordOf<SubscriberIndexMarker>(item));
  const [rows, listed] = await Promise.all([
    read(kind, most + 1),
    administrators ? read('ADMINISTRATORS', most + 1) : [],
  ]);
  const markedUsers = new Map(markers.map((marker) => [marker.id, marker]));
  const rowRules = new Map(
    rows.map(({ sk, from, channels, happenings }) => [
      Number(sk),
      ifApplies({ from, channels, happenings } as OwnRule, happening),
    ]),
  );
  const all = new Set([
    ...markedUsers.keys(),
    ...rowRules.keys(),
    ...listed.map(({ sk }) => Number(sk)),
    ...also.filter((id) => id > after),
  ]);
  const ids = [...all].sort((one, other) => one - other);
  const page = ids.slice(0, most);
  const markedRules = await readMarked(
    account,
    { kind, happening },
    page.flatMap((id) => markedUsers.get(id) ?? []),
    reads,
  );
  const included = new Set([...listed.map(({ sk }) => Number(sk)), ...also]);
  const rules = new Map(page.map((id) => [id, markedUsers.has(id) ? markedRules.get(id) : rowRules.get(id)]));
  // Removes users without a rule for this event, except administrators and the users in `also`.
  for (const [id, rule] of rules) if (!rule && !included.has(id)) rules.delete(id);
  return { rules, upTo: ids.length > most ? page.at(-1) : undefined, marker: markers[0] };
}

async function readMarked(
  account: AccountId,
  { kind, happening }: Pick<SubscriberQuery, 'kind' | 'happening'>,
  markers: readonly SubscriberIndexMarker[],
  reads: Reads,
): Promise<Map<number, OwnRule | undefined>> {
  const items = await reads.getItems(markers.map(({ home, id }) => userKey(home, id)));
  return new Map(
    markers.map(({ id }, index) => {
      const item = items[index];
      const user = item && !isTombstone(item) ? recordOf<StoredUser>(item) : undefined;
      return [id, user && ifApplies(ownRules(user, account).get(kind), happening)];
    }),
  );
}
