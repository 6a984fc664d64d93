import { type ApiError, notFound } from '../errors.ts';
import { eventKey } from '../events/keys.ts';
import type { AccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import { reachedRecords, subjectNouns } from '../resources/derived.ts';
import type { ReachedType } from '../resources/registry.ts';
import { hides, hidesSome, isReachedType, type Reaching } from '../security/reach.ts';
import { isTombstone, recordOf } from '../table/item.ts';
import { type Key, type RecordId, recordKey } from '../table/keys.ts';
import { currentReads, type Reads } from '../table/read.ts';

/**
 * The record that another record belongs to, such as the lead of an event, or the merchant of an invoice. A caller from whom it
 * is hidden gets neither of them.
 */
export interface ParentRecord {
  type: string;
  id: RecordId;
}

/** The types of the records that decide who reaches an event. */
export const subjectsWithReach = Object.keys(reachedRecords) as ReachedType[];

export const parentOfEvent = ({
  subject,
}: {
  subject: ParentRecord & { parent?: ParentRecord };
}): ParentRecord => subject.parent ?? subject;

/** Returns the merchant of an invoice. Undefined for an invoice of a child account. */
export function parentOfInvoice({
  customerType,
  customerId,
}: {
  customerType: string;
  customerId: string;
}): ParentRecord | undefined {
  return customerType === 'merchant' ? { type: 'merchant', id: asRecordId(customerId) ?? 0 } : undefined;
}

/** The records between a record and the record that decides who reaches it. */
const between: Readonly<Record<string, (record: never) => ParentRecord | undefined>> = {
  event: parentOfEvent,
  invoice: parentOfInvoice,
};

export const parentName = ({ type, id }: ParentRecord): string => `${type} ${id}`;

const keyOf = (account: AccountId, { type, id }: ParentRecord): Key =>
  type === 'event'
    ? eventKey(account, Number(id))
    : recordKey(account, subjectNouns[type as keyof typeof subjectNouns], id);

/** Reads records. Returns their current state by `parentName`. A missing or deleted record has none. */
export async function readParents(
  account: AccountId,
  parents: readonly ParentRecord[],
  reads: Pick<Reads, 'getItems'> = currentReads,
): Promise<ReadonlyMap<string, object>> {
  const wanted = new Map(parents.map((parent) => [parentName(parent), keyOf(account, parent)] as const));
  if (wanted.size === 0) return new Map();
  const items = await reads.getItems([...wanted.values()]);
  return new Map(
    [...wanted.keys()].flatMap((name, n) => {
      const item = items[n];
      return item && !isTombstone(item) ? [[name, recordOf<object>(item)] as const] : [];
    }),
  );
}

/** Reports whether some records that belong to records of these types are hidden from a caller. */
export const hidesSomeOf = (principal: Reaching, types: readonly ReachedType[]): boolean =>
  types.some((type) => hidesSome(principal, type));

/**
 * Returns the records that are not hidden from a caller with their parents. `types` are the types of the records that decide.
 * The parents are read as they are now, because the caller may have lost them since. A record without a parent of these types
 * is not hidden. Callers who reach all records of these types cause no read.
 */
export async function shownTo<S>(
  principal: Reaching,
  account: AccountId,
  types: readonly ReachedType[],
  records: readonly S[],
  parentOf: (record: S) => ParentRecord | undefined,
): Promise<S[]> {
  const limited = types.filter((type) => hidesSome(principal, type));
  if (limited.length === 0) return [...records];
  const parents = new Map<S, ParentRecord | 'missing' | undefined>(
    records.map((one) => [one, parentOf(one)]),
  );
  /** Replaces each parent that belongs to another record by this record. */
  const replaceBetween = async (): Promise<boolean> => {
    const waiting = [...parents].flatMap(([one, parent]) =>
      typeof parent === 'object' && parent.type in between ? [{ one, parent }] : [],
    );
    const read = await readParents(
      account,
      waiting.map(({ parent }) => parent),
    );
    for (const { one, parent } of waiting) {
      const found = read.get(parentName(parent));
      parents.set(one, found ? between[parent.type]?.(found as never) : 'missing');
    }
    return waiting.length > 0;
  };
  while (await replaceBetween());
  const deciding = [...parents.values()].flatMap((parent) =>
    typeof parent === 'object' && isReachedType(parent.type) && limited.includes(parent.type) ? [parent] : [],
  );
  const read = await readParents(account, deciding);
  return records.filter((one) => {
    const parent = parents.get(one);
    if (parent === 'missing') return false;
    if (!parent || !isReachedType(parent.type)) return true;
    return !hides(principal, parent.type, read.get(parentName(parent)));
  });
}

/** Throws an error if a record is hidden from the caller with its parent. The error is the one for a missing record. */
export async function requireShown(
  { principal, account }: { principal: Reaching; account: AccountId },
  types: readonly ReachedType[],
  parent: ParentRecord,
  missing: ApiError,
): Promise<void> {
  const [shown] = await shownTo(principal, account, types, [parent], (one) => one);
  if (!shown) throw missing;
}

/** Throws `not_found` for an event that is hidden from the caller with its record. */
export const requireShownEvent = (
  request: { principal: Reaching; account: AccountId },
  id: number,
  missing = notFound('event', id),
): Promise<void> => requireShown(request, subjectsWithReach, { type: 'event', id }, missing);
