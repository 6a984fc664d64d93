import { accountKey, slaPolicyKey } from '../../shared/accounts/keys.ts';
import { policyOf } from '../../shared/accounts/policy-of.ts';
import type { StoredAccount } from '../../shared/accounts/schema.ts';
import { isCounted } from '../../shared/documents/rules.ts';
import { ticketDocuments } from '../../shared/documents/store.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { memberships } from '../../shared/people/users/store.ts';
import { foldClock, type Policies } from '../../shared/sla/fold-clock.ts';
import type { Policy } from '../../shared/sla/policy.ts';
import { ticketStatuses } from '../../shared/sla/schema.ts';
import { ticketComments } from '../../shared/support/ticket-comments/store.ts';
import { clockEntries } from '../../shared/support/tickets/clock-entries.ts';
import { ticketNumbersKey } from '../../shared/support/tickets/keys.ts';
import { tickets, unassigned } from '../../shared/support/tickets/store.ts';
import type { StoredTicket } from '../../shared/support/tickets/stored-ticket.ts';
import { idsOfTicketNumbers, ticketNumberOf } from '../../shared/support/tickets/ticket-number.ts';
import type { IndexName } from '../../shared/table/definition.ts';
import { dueAcrossAccountsPartition, dueShards, readDueKey } from '../../shared/table/due-keys.ts';
import { type Item, isTombstone, recordOf } from '../../shared/table/item.ts';
import { listPartition, recordKey, type Scope } from '../../shared/table/keys.ts';
import { isCounterDelta } from '../../shared/table/operations.ts';
import { getItem, getItems, keysOf, queryItems, type Reading, readPage } from '../../shared/table/read.ts';
import { sameValue } from '../../shared/table/revise.ts';
import { readTotals } from '../../shared/table/totals.ts';
import { getOrAdd } from './survey-table.ts';

/** So many tickets, or partitions, are looked at side by side. */
const atOnce = 25;

const indexes = ['list', 'state', 'holder', 'due'] as const satisfies readonly IndexName[];

/**
 * A sentence for each thing that is stored of an account's tickets and does not follow from them: clocks from their
 * ledgers; summaries, numbers, views and totals from the records. None: all agree. Where anything differs it looks once
 * more and tells what it finds twice, since a ticket may change meanwhile. Throws where there is no such account. `looked`
 * hears of each ticket that was looked at.
 */
export async function checkTickets(account: AccountId, looked = () => {}): Promise<string[]> {
  const found = await findDifferences(account, looked);
  if (found.length === 0) return [];
  const again = new Set(await findDifferences(account, looked));
  return found.filter((sentence) => again.has(sentence));
}

async function findDifferences(account: AccountId, looked: () => void): Promise<string[]> {
  const policies = await readPolicies(account);
  const expected = new Expected();
  const ofTickets = await inTurn(await findIds(account), (id) =>
    checkTicket(account, id, policies, expected).finally(looked),
  );
  const holders = [...new Set([unassigned, ...(await memberIds(account)), ...expected.holders])];
  return [
    ...ofTickets,
    ...(await checkPlaces(account, holders, expected)),
    ...(await checkTotals(account, holders, expected)),
  ];
}

/** What must be stored if the records are right. */
class Expected {
  /** Sort keys by index and partition. */
  readonly places = new Map<string, Set<string>>();
  /** By partition of totals, and the name there. */
  readonly totals = new Map<string, Map<string, number>>();
  readonly holders = new Set<string>();

  placesIn(index: IndexName, partition: string): Set<string> {
    return getOrAdd(this.places, `${index} ${partition}`, () => new Set());
  }

  totalsOf(within: Scope | undefined): Map<string, number> {
    return getOrAdd(this.totals, JSON.stringify(within ?? []), () => new Map());
  }

  /** Takes in a ticket by what its store writes for it. */
  add(writes: ReturnType<typeof tickets.insert>, { assignedTo = unassigned }: StoredTicket): void {
    this.holders.add(assignedTo);
    for (const { item } of puts(writes))
      for (const index of indexes) {
        const { partitionKey, sortKey } = keysOf(index);
        if (item[partitionKey] !== undefined)
          this.placesIn(index, String(item[partitionKey])).add(String(item[sortKey]));
      }
    for (const { within, of, amount } of writes.filter(isCounterDelta)) {
      const totals = this.totalsOf(within);
      totals.set(of, (totals.get(of) ?? 0) + amount);
    }
  }
}

/** The items that writes put. */
const puts = (writes: ReturnType<typeof tickets.insert>): { item: Item }[] =>
  writes.flatMap((write) =>
    !isCounterDelta(write) && 'Put' in write.operation ? [{ item: write.operation.Put.Item as Item }] : [],
  );

async function readPolicies(account: AccountId): Promise<Policies> {
  const item = await getItem(accountKey(account));
  if (!item) throw new Error(`There is no account ${account} in this table.`);
  const older = await queryItems({ partition: slaPolicyKey(account, 0).pk });
  const all = [policyOf(recordOf<StoredAccount>(item)), ...older.map((one) => recordOf<Policy>(one))];
  return new Map(all.map((policy) => [policy.number, policy]));
}

async function memberIds(account: AccountId): Promise<string[]> {
  const { items } = await memberships.newestWithin(account, {});
  return items.map(({ id }) => String(id));
}

/** The ids of all tickets, by whichever way leads to them: an index that has lost one does not hide it. */
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
  const numbered = await inTurn(
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

/** What is due of the tickets of this account alone, in a shard that all accounts have in common. */
async function dueOf(account: AccountId, partition: string): Promise<Set<string>> {
  const keys = [...(await sortKeysIn('due', partition))];
  return new Set(keys.filter((key) => readDueKey(key).account === account));
}

/** What is wrong with one ticket. */
async function checkTicket(
  account: AccountId,
  id: number,
  policies: Policies,
  expected: Expected,
): Promise<string[]> {
  const item = await getItem(recordKey(account, tickets.noun, id));
  if (!item || isTombstone(item)) return [`Ticket ${id}: has no record.`];
  const ticket = recordOf<StoredTicket>(item);
  const name = `Ticket ${id} (${ticket.ticketNumber})`;
  try {
    const writes = tickets.insert({ ticket, entries: [] });
    expected.add(writes, ticket);
    const differences = [
      ...(await checkItems(puts(writes).map((put) => put.item))),
      ...(await checkClock(ticket, policies)),
      ...(await checkComments(ticket)),
      ...(await checkDocuments(ticket)),
    ];
    return differences.map((difference) => `${name}: ${difference}`);
  } catch (error) {
    return [`${name}: cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}

/** The items beside a ticket, by what its store would write for it. */
async function checkItems(expected: readonly Item[]): Promise<string[]> {
  const stored = await getItems(expected);
  return expected.flatMap((item, index) => {
    const found = stored[index];
    if (!found) return [`there is no ${item.sk}.`];
    // How many documents it has is theirs to say.
    if (item.type === 'child-totals') return [];
    return unlike(found, item, `${item.sk}.`, 'its record');
  });
}

/** A sentence for each field that is not as `source` has it. */
function unlike(stored: object, right: object, prefix: string, source: string): string[] {
  const [is, should] = [stored, right].map((one) => new Map<string, unknown>(Object.entries(one)));
  const fields = new Set([...(is?.keys() ?? []), ...(should?.keys() ?? [])]);
  return [...fields]
    .filter((field) => !sameValue(is?.get(field), should?.get(field)))
    .map((field) => {
      const [was, by] = [is?.get(field), should?.get(field)].map(
        (value) => JSON.stringify(value) ?? 'nothing',
      );
      return `${prefix}${field} is ${was}, and ${by} by ${source}.`;
    });
}

async function checkClock(ticket: StoredTicket, policies: Policies): Promise<string[]> {
  const { clock, status, priority, createdAt } = ticket;
  const own = { status: clock.status, priority: clock.priority, createdAt: clock.createdAt };
  const entries = await clockEntries.of(ticket);
  try {
    return [
      ...unlike({ status, priority, createdAt }, own, '', 'its clock'),
      ...unlike(clock, foldClock(entries, policies, clock.at), 'clock.', 'its ledger'),
    ];
  } catch (error) {
    return [`its ledger makes no clock: ${error instanceof Error ? error.message : error}`];
  }
}

/** What a ticket says of its comments. */
async function checkComments(ticket: StoredTicket): Promise<string[]> {
  const { items } = await ticketComments.newest(ticket.accountId, ticket.id, ['public', 'internal'], {});
  const open = items.filter(({ visibility }) => visibility === 'public');
  const { commentCount, internalNoteCount, responseCount } = ticket;
  const counted = {
    commentCount: items.length,
    internalNoteCount: items.length - open.length,
    responseCount: open.filter(({ authorType }) => authorType === 'staff').length,
  };
  return unlike({ commentCount, internalNoteCount, responseCount }, counted, '', 'its comments');
}

/** How many files a ticket says that it has. */
async function checkDocuments({ accountId, id, attachmentCount }: StoredTicket): Promise<string[]> {
  const { items } = await ticketDocuments.newestWithin(accountId, id, {});
  return unlike(
    { attachmentCount },
    { attachmentCount: items.filter(isCounted).length },
    '',
    'its documents',
  );
}

/** Who stands in an index and should not, and the other way round. */
async function checkPlaces(
  account: AccountId,
  holders: readonly string[],
  expected: Expected,
): Promise<string[]> {
  const inNoun = (...parts: string[]) => listPartition(account, tickets.noun, parts);
  const partitions: [IndexName, string][] = [
    ['list', inNoun()],
    ...ticketStatuses.map((status): [IndexName, string] => ['state', inNoun(status)]),
    ...holders.flatMap((holder) =>
      ticketStatuses.map((status): [IndexName, string] => ['holder', inNoun(holder, status)]),
    ),
    ...Array.from({ length: dueShards }, (_, shard): [IndexName, string] => [
      'due',
      dueAcrossAccountsPartition(tickets.noun, shard),
    ]),
  ];
  return inTurn(partitions, async ([index, partition]) => {
    const should = expected.placesIn(index, partition);
    const is = await (index === 'due' ? dueOf(account, partition) : sortKeysIn(index, partition));
    const idOf = (key: string) => (index === 'due' ? Number(readDueKey(key).id) : Number(key));
    const place = `in the index ${index}, at ${partition}`;
    return [
      ...(is.size === should.size ? [] : [`${is.size} tickets stand ${place}, and ${should.size} should.`]),
      ...[...should]
        .filter((key) => !is.has(key))
        .map((key) => `Ticket ${idOf(key)}: does not stand ${place}.`),
      ...[...is]
        .filter((key) => !should.has(key))
        .map((key) => `Ticket ${idOf(key)}: stands ${place}, and should not.`),
    ];
  });
}

async function checkTotals(
  account: AccountId,
  holders: readonly string[],
  expected: Expected,
): Promise<string[]> {
  const scopes = [undefined, ...holders.map((holder) => [tickets.noun, holder])];
  return inTurn(scopes, async (within) => {
    const should = expected.totalsOf(within);
    const is = await readTotals(account, within);
    const names = new Set([...is.keys(), ...should.keys()]);
    const own = [...names].filter((name) => name === tickets.noun || name.startsWith(`${tickets.noun} `));
    const whose = within ? `of holder ${within.at(-1)}` : 'of the account';
    return own
      .filter((name) => (is.get(name) ?? 0) !== (should.get(name) ?? 0))
      .map(
        (name) =>
          `The total ${name} ${whose} is ${is.get(name) ?? 0}, and ${should.get(name) ?? 0} are counted.`,
      );
  });
}

/** Does something with all, so many at once. */
async function inTurn<T, R>(all: readonly T[], look: (one: T) => Promise<R[]>): Promise<R[]> {
  const found: R[] = [];
  for (let from = 0; from < all.length; from += atOnce)
    found.push(...(await Promise.all(all.slice(from, from + atOnce).map(look))).flat());
  return found;
}
