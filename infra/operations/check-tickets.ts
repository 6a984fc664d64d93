import { slaPolicyKey } from '../../shared/accounts/keys.ts';
import { accountPolicy } from '../../shared/accounts/policy-of.ts';
import { isCounted } from '../../shared/documents/rules.ts';
import { ticketDocuments } from '../../shared/documents/store.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { memberships } from '../../shared/people/users/store.ts';
import { unassigned } from '../../shared/people/users/unassigned.ts';
import { foldClock, type Policies } from '../../shared/sla/fold-clock.ts';
import type { Policy } from '../../shared/sla/policy.ts';
import { ticketStatuses } from '../../shared/sla/schema.ts';
import { ticketComments } from '../../shared/support/ticket-comments/store.ts';
import { clockEntries } from '../../shared/support/tickets/clock-entries.ts';
import { ticketNumbersKey } from '../../shared/support/tickets/keys.ts';
import { tickets } from '../../shared/support/tickets/store.ts';
import type { StoredTicket } from '../../shared/support/tickets/stored-ticket.ts';
import { idsOfTicketNumbers, ticketNumberOf } from '../../shared/support/tickets/ticket-number.ts';
import type { IndexName } from '../../shared/table/definition.ts';
import { dueAcrossAccountsPartition, dueShards, readDueKey } from '../../shared/table/due-keys.ts';
import { inBatches } from '../../shared/table/in-batches.ts';
import { type Item, isTombstone, recordOf } from '../../shared/table/item.ts';
import { listPartition, recordKey, type Scope } from '../../shared/table/keys.ts';
import { isCounterDelta } from '../../shared/table/operations.ts';
import { getItem, getItems, keysOf, queryItems, type Reading, readPage } from '../../shared/table/read.ts';
import { sameValue } from '../../shared/table/revise.ts';
import { readTotals } from '../../shared/table/totals.ts';
import { requireAccount } from './require-account.ts';
import { getOrAdd } from './survey-table.ts';

const indexes = ['list', 'state', 'holder', 'due'] as const satisfies readonly IndexName[];

interface CheckedTickets {
  tickets: number;
  clockEntries: number;
  /** A sentence for each difference. */
  differences: string[];
}

/**
 * Compares the derived data of an account's tickets with recomputed values. Clocks are recomputed from their
 * ledgers. Summaries, numbers, index entries and totals are recomputed from the ticket records. Tickets may
 * change while they are compared. Therefore, if there are differences, compares again and returns only the
 * differences found both times. Calls `onChecked` after each ticket. Throws for an unknown account.
 */
export async function checkTickets(account: AccountId, onChecked = () => {}): Promise<CheckedTickets> {
  const first = await checkOnce(account, onChecked);
  if (first.differences.length === 0) return first;
  const second = await checkOnce(account, onChecked);
  const again = new Set(second.differences);
  return { ...second, differences: first.differences.filter((sentence) => again.has(sentence)) };
}

async function checkOnce(account: AccountId, onChecked: () => void): Promise<CheckedTickets> {
  const policies = await readPolicies(account);
  const expected = new Expected();
  const ids = await findIds(account);
  const inTickets = await forEach(ids, (id) =>
    checkTicket(account, id, policies, expected).finally(onChecked),
  );
  const { items: members } = await memberships.newestWithin(account, {});
  const holders = [...new Set([unassigned, ...members.map(({ id }) => String(id)), ...expected.holders])];
  const differences = [
    ...inTickets,
    ...(await checkIndexes(account, holders, expected)),
    ...(await checkTotals(account, holders, expected)),
  ];
  return { tickets: ids.length, clockEntries: expected.clockEntries, differences };
}

/** The expected index entries and totals, computed from the ticket records. */
class Expected {
  /** The sort keys of the entries, by index and partition. */
  readonly indexEntries = new Map<string, Set<string>>();
  /** Totals by scope and name. */
  readonly totals = new Map<string, Map<string, number>>();
  readonly holders = new Set<string>();
  /** The number of entries in the ledgers of the added tickets. */
  clockEntries = 0;

  entriesIn(index: IndexName, partition: string): Set<string> {
    return getOrAdd(this.indexEntries, `${index} ${partition}`, () => new Set());
  }

  totalsOf(within: Scope | undefined): Map<string, number> {
    return getOrAdd(this.totals, JSON.stringify(within ?? []), () => new Map());
  }

  /** Adds a ticket. `writes` are the writes that insert the ticket. */
  add(writes: ReturnType<typeof tickets.insert>, { assignedTo = unassigned }: StoredTicket): void {
    this.holders.add(assignedTo);
    for (const { item } of puts(writes))
      for (const index of indexes) {
        const { partitionKey, sortKey } = keysOf(index);
        if (item[partitionKey] !== undefined)
          this.entriesIn(index, String(item[partitionKey])).add(String(item[sortKey]));
      }
    for (const { within, of, amount } of writes.filter(isCounterDelta)) {
      const totals = this.totalsOf(within);
      totals.set(of, (totals.get(of) ?? 0) + amount);
    }
  }
}

const puts = (writes: ReturnType<typeof tickets.insert>): { item: Item }[] =>
  writes.flatMap((write) =>
    !isCounterDelta(write) && 'Put' in write.operation ? [{ item: write.operation.Put.Item as Item }] : [],
  );

async function readPolicies(account: AccountId): Promise<Policies> {
  const current = await requireAccount(account);
  const older = await queryItems({ partition: slaPolicyKey(account, 0).pk });
  const all = [accountPolicy(current), ...older.map((one) => recordOf<Policy>(one))];
  return new Map(all.map((policy) => [policy.number, policy]));
}

/** Finds ticket ids in three indexes and in the ticket numbers, so that a lost index entry cannot hide a ticket. */
async function findIds(account: AccountId): Promise<number[]> {
  const inIndexes = await Promise.all([
    sortKeysIn('list', listPartition(account, tickets.noun)),
    ...ticketStatuses.map((status) => sortKeysIn('state', listPartition(account, tickets.noun, [status]))),
  ]);
  const due = await Promise.all(
    Array.from({ length: dueShards }, (_, shard) =>
      dueOf(account, dueAcrossAccountsPartition(tickets.noun, shard)),
    ),
  );
  const numbers = Number((await getItem(ticketNumbersKey(account)))?.count ?? 0);
  const numbered = await forEach(
    Array.from({ length: Math.ceil(numbers / 100) }, (_, n) => n * 100),
    async (from) => {
      const names = Array.from({ length: Math.min(100, numbers - from) }, (_, n) =>
        ticketNumberOf(from + n + 1),
      );
      return [...(await idsOfTicketNumbers(account, names)).values()];
    },
  );
  const ids = [
    ...inIndexes.flatMap((keys) => [...keys].map(Number)),
    ...due.flatMap((keys) => [...keys].map((key) => Number(readDueKey(key).id))),
    ...numbered,
  ];
  return [...new Set(ids)].sort((one, other) => one - other);
}

async function sortKeysIn(index: IndexName, partition: string): Promise<Set<string>> {
  const { sortKey } = keysOf(index);
  const reading: Reading = { partition, items: [], more: true };
  const found = new Set<string>();
  while (reading.more) {
    await readPage(reading, { index }, undefined);
    for (const item of reading.items.splice(0)) found.add(String(item[sortKey]));
  }
  return found;
}

/** Returns the keys of this account in one shard of the index `due`. All accounts share the shards. */
async function dueOf(account: AccountId, partition: string): Promise<Set<string>> {
  const keys = [...(await sortKeysIn('due', partition))];
  return new Set(keys.filter((key) => readDueKey(key).account === account));
}

async function checkTicket(
  account: AccountId,
  id: number,
  policies: Policies,
  expected: Expected,
): Promise<string[]> {
  const item = await getItem(recordKey(account, tickets.noun, id));
  if (!item || isTombstone(item)) return [`Ticket ${id} has no record.`];
  const ticket = recordOf<StoredTicket>(item);
  const name = `Ticket ${id} (${ticket.ticketNumber})`;
  try {
    const writes = tickets.insert({ ticket, entries: [] });
    expected.add(writes, ticket);
    const differences = [
      ...(await checkItems(puts(writes).map((put) => put.item))),
      ...(await checkClock(ticket, policies, expected)),
      ...(await checkComments(ticket)),
      ...(await checkDocuments(ticket)),
    ];
    return differences.map((difference) => `${name}: ${difference}`);
  } catch (error) {
    return [`${name}: cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}

/** Compares the stored items of a ticket with the items that the ticket store would write. */
async function checkItems(expected: readonly Item[]): Promise<string[]> {
  const stored = await getItems(expected);
  return expected.flatMap((item, index) => {
    const found = stored[index];
    if (!found) return [`${item.sk} is missing.`];
    // Not compared: the totals of children depend on the ticket's documents, not on its record.
    if (item.type === 'child-totals') return [];
    return differingFields(found, item, `${item.sk}.`, 'its record');
  });
}

/**
 * Describes each field whose stored value differs from its expected value. `source` names the data from which
 * the expected values were computed.
 */
function differingFields(stored: object, expected: object, prefix: string, source: string): string[] {
  const [is, should] = [new Map(Object.entries(stored)), new Map(Object.entries(expected))];
  const shown = (value: unknown) => JSON.stringify(value) ?? 'missing';
  return [...new Set([...is.keys(), ...should.keys()])]
    .filter((field) => !sameValue(is.get(field), should.get(field)))
    .map(
      (field) =>
        `${prefix}${field} is ${shown(is.get(field))}, but ${shown(should.get(field))} according to ${source}.`,
    );
}

async function checkClock(ticket: StoredTicket, policies: Policies, expected: Expected): Promise<string[]> {
  const { clock, status, priority, createdAt } = ticket;
  const own = { status: clock.status, priority: clock.priority, createdAt: clock.createdAt };
  const entries = await clockEntries.of(ticket);
  expected.clockEntries += entries.length;
  try {
    return [
      ...differingFields({ status, priority, createdAt }, own, '', 'its clock'),
      ...differingFields(clock, foldClock(entries, policies, clock.at), 'clock.', 'its ledger'),
    ];
  } catch (error) {
    return [`its ledger is invalid: ${error instanceof Error ? error.message : error}`];
  }
}

async function checkComments(ticket: StoredTicket): Promise<string[]> {
  const { items } = await ticketComments.newest(ticket.accountId, ticket.id, ['public', 'internal'], {});
  const open = items.filter(({ visibility }) => visibility === 'public');
  const { commentCount, internalNoteCount, responseCount } = ticket;
  const counted = {
    commentCount: items.length,
    internalNoteCount: items.length - open.length,
    responseCount: open.filter(({ authorType }) => authorType === 'staff').length,
  };
  return differingFields({ commentCount, internalNoteCount, responseCount }, counted, '', 'its comments');
}

async function checkDocuments({ accountId, id, attachmentCount }: StoredTicket): Promise<string[]> {
  const { items } = await ticketDocuments.newestWithin(accountId, id, {});
  const counted = { attachmentCount: items.filter(isCounted).length };
  return differingFields({ attachmentCount }, counted, '', 'its documents');
}

async function checkIndexes(
  account: AccountId,
  holders: readonly string[],
  expected: Expected,
): Promise<string[]> {
  const partitionOf = (...parts: string[]) => listPartition(account, tickets.noun, parts);
  const partitions: [IndexName, string][] = [
    ['list', partitionOf()],
    ...ticketStatuses.map((status): [IndexName, string] => ['state', partitionOf(status)]),
    ...holders.flatMap((holder) =>
      ticketStatuses.map((status): [IndexName, string] => ['holder', partitionOf(holder, status)]),
    ),
    ...Array.from({ length: dueShards }, (_, shard): [IndexName, string] => [
      'due',
      dueAcrossAccountsPartition(tickets.noun, shard),
    ]),
  ];
  return forEach(partitions, async ([index, partition]) => {
    const should = expected.entriesIn(index, partition);
    const is = await (index === 'due' ? dueOf(account, partition) : sortKeysIn(index, partition));
    const idOf = (key: string) => (index === 'due' ? Number(readDueKey(key).id) : Number(key));
    const place = `index ${index}, partition ${partition}`;
    const [missing, extra] = [
      [...should].filter((key) => !is.has(key)),
      [...is].filter((key) => !should.has(key)),
    ];
    return [
      ...(is.size === should.size ? [] : [`${place}: ${is.size} tickets, expected ${should.size}.`]),
      ...missing.map((key) => `Ticket ${idOf(key)}: missing in ${place}.`),
      ...extra.map((key) => `Ticket ${idOf(key)}: unexpected in ${place}.`),
    ];
  });
}

async function checkTotals(
  account: AccountId,
  holders: readonly string[],
  expected: Expected,
): Promise<string[]> {
  const scopes = [undefined, ...holders.map((holder) => [tickets.noun, holder])];
  return forEach(scopes, async (within) => {
    const should = expected.totalsOf(within);
    const is = await readTotals(account, within);
    const names = new Set([...is.keys(), ...should.keys()]);
    const own = [...names].filter((name) => name === tickets.noun || name.startsWith(`${tickets.noun} `));
    const scope = within ? `holder ${within.at(-1)}` : 'the account';
    return own
      .map((name) => ({ name, total: is.get(name) ?? 0, counted: should.get(name) ?? 0 }))
      .filter(({ total, counted }) => total !== counted)
      .map(({ name, total, counted }) => `The total ${name} of ${scope} is ${total}, expected ${counted}.`);
  });
}

const forEach = async <T, R>(all: readonly T[], check: (one: T) => Promise<R[]>): Promise<R[]> =>
  (await inBatches(25, all, check)).flat();
