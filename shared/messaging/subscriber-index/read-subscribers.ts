import type { EventKind } from '../../events/kinds.ts';
import type { AccountId } from '../../id/account-id.ts';
import { subscriberPartition, subscribersAfter, userKey } from '../../people/users/keys.ts';
import type { SubscriberIndexMarker } from '../../people/users/mark-subscriber-index.ts';
import { type OwnRule, ownRules } from '../../people/users/own-rules.ts';
import type { StoredUser } from '../../people/users/schema.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { currentReads, type Reads } from '../../table/read.ts';

/** Whom to ask for: of one kind of event, those with ids behind `after`. */
interface SubscriberQuery {
  account: AccountId;
  kind: EventKind;
  /** Whom to take in whether or not they have a rule. */
  also?: readonly number[];
  /** Whether to take in the administrators. */
  administrators?: boolean;
  /** The id of a user. Left out: from the first. */
  after?: number;
  /** So many users at most. */
  most: number;
}

/** Users by ascending id, each with its rule for the kind, if it made one. */
interface SubscriberPage {
  rules: Map<number, OwnRule | undefined>;
  /** There are more of them behind this user; left out: these are all. */
  upTo?: number;
  /** The first mark of a change whose rows are not rewritten yet. */
  marker?: SubscriberIndexMarker;
}

/**
 * Who may have to be told of a kind of event, without reading members: marks first and rows after them, strongly
 * consistent, so that whoever is not marked has the rows of its last change. Of the marked the own record is read: a rule
 * counts from the moment that the change is acknowledged, whenever the rows follow.
 */
export async function readSubscribers(
  { account, kind, also = [], administrators = false, after = 0, most }: SubscriberQuery,
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
  const marked = new Map(markers.map((marker) => [marker.id, marker]));
  const written = new Map(rows.map(({ sk, from, channels }) => [Number(sk), { from, channels } as OwnRule]));
  const everybody = new Set([
    ...marked.keys(),
    ...written.keys(),
    ...listed.map(({ sk }) => Number(sk)),
    ...also.filter((id) => id > after),
  ]);
  const ids = [...everybody].sort((one, other) => one - other);
  const taken = ids.slice(0, most);
  const fresh = await readMarked(
    account,
    kind,
    taken.flatMap((id) => marked.get(id) ?? []),
    reads,
  );
  const named = new Set([...listed.map(({ sk }) => Number(sk)), ...also]);
  const rules = new Map(taken.map((id) => [id, marked.has(id) ? fresh.get(id) : written.get(id)]));
  // Whoever was marked for a rule of another kind, and is nobody that the service tells, is no candidate.
  for (const [id, rule] of rules) if (!rule && !named.has(id)) rules.delete(id);
  return { rules, upTo: ids.length > most ? taken.at(-1) : undefined, marker: markers[0] };
}

/** The rules that the marked users' own records hold for a kind. */
async function readMarked(
  account: AccountId,
  kind: EventKind,
  markers: readonly SubscriberIndexMarker[],
  reads: Reads,
): Promise<Map<number, OwnRule | undefined>> {
  const items = await reads.getItems(markers.map(({ home, id }) => userKey(home, id)));
  return new Map(
    markers.map(({ id }, index) => {
      const item = items[index];
      const user = item && !isTombstone(item) ? recordOf<StoredUser>(item) : undefined;
      return [id, user && ownRules(user, account).get(kind)];
    }),
  );
}
