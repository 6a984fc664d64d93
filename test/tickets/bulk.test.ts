import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import readTicketAssignment from '../../functions/tickets/read-ticket-assignment.ts';
import undoBulk from '../../functions/tickets/undo-bulk.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import updateUser from '../../functions/users/update-user.ts';
import { asAccountId } from '../../shared/id/account-id.ts';
import type { BulkInput, BulkResult } from '../../shared/support/tickets/bulk-schema.ts';
import type { Ticket, TicketInput, TicketPatch } from '../../shared/support/tickets/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { recordKey } from '../../shared/table/keys.ts';
import { measure } from '../costs/meter.ts';
import { clock } from '../harness/clock.ts';
import { concurrently } from '../harness/concurrently.ts';
import { documents } from '../harness/documents.ts';
import { injected, injectFaults, noFaults } from '../harness/faults.ts';
import { bulkSize } from '../harness/heavy.ts';
import { beforeNextTransaction } from '../harness/interleave.ts';
import { member } from '../harness/member.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { newRotationOf, newTicketOf, newTypeOf } from './new-tickets.ts';

const acme = await tenant();
const globex = await tenant();
const { admin } = acme;

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  noFaults();
  clock.reset();
  vi.restoreAllMocks();
});

const create = (fields: Partial<TicketInput> = {}) => newTicketOf(admin, fields);
const several = (count: number, fields: Partial<TicketInput> = {}) =>
  concurrently(count, () => create(fields));
const byId = ({ id }: { id: number }) => ({ params: { ticketId: String(id) } });
const read = (ticket: { id: number }): Promise<Ticket> => admin.ok(readTicket, byId(ticket));
const readAll = (all: readonly { id: number }[]) => Promise.all(all.map(read));
const patch = (ticket: { id: number }, body: TicketPatch) =>
  admin.ok(updateTicket, { ...byId(ticket), body });

type WithoutIds<Input> = Input extends BulkInput ? Omit<Input, 'ticketIds'> : never;
type Action = WithoutIds<BulkInput>;
const status = (to: Ticket['status']): Action => ({ action: 'change_status', payload: { status: to } });
const tagging = (tag: string): Action => ({ action: 'add_tag', payload: { tag } });
const namesOf = (all: readonly { uniqueId: string }[]) => all.map(({ uniqueId }) => uniqueId);
const bulk = (ticketIds: string[], action: Action, by: Client = admin): Promise<BulkResult> =>
  by.ok(bulkTickets, { body: { ticketIds, ...action } });
const undo = ({ bulkId }: { bulkId: string }, by: Client = admin): Promise<BulkResult> =>
  by.ok(undoBulk, { params: { bulkId } });
const errorsOf = ({ results }: BulkResult) => results.map(({ error }) => error);
/** The events of each ticket except its creation. */
async function eventsOf(all: readonly { id: number }[]) {
  const events = await storedEvents(acme.accountId);
  return all.map((ticket) =>
    events.filter(
      ({ kind, subject }) => kind !== 'ticket_created' && (subject as { id: unknown }).id === ticket.id,
    ),
  );
}
const kindsOf = async (all: readonly { id: number }[]) =>
  (await eventsOf(all)).map((events) => events.map(({ kind }) => kind));
const changedStatus = ['ticket_updated', 'ticket_status_changed'];

let keys = 0;
const freshKey = () => ({ 'idempotency-key': `bulk-${++keys}` });
const account = asAccountId(acme.accountId) ?? expect.fail('an account');

/** Calls a function before the nth transaction that a Lambda function sends, and before each later transaction. */
function beforeTransaction(nth: number, happen: () => unknown): void {
  let sent = 0;
  stops.push(
    watchWire({
      before({ invocation, operation }) {
        if (!invocation || operation !== 'TransactWriteItems') return;
        sent += 1;
        if (sent >= nth) happen();
      },
    }),
  );
}

/** Calls a function once, before the first transaction of a bulk operation. */
function interfere(happen: () => Promise<unknown>): void {
  let running: Promise<unknown> | undefined;
  beforeNextTransaction(() => {
    running ??= happen();
    return running;
  });
}

/** Corrupts a stored ticket. */
const corrupt = ({ id }: { id: number }, attribute: string, value: unknown) =>
  documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: recordKey(account, 'TICKET', id),
      UpdateExpression: 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

describe('many tickets', () => {
  const found = bulkSize - 2;
  let made: Promise<Ticket[]> | undefined;
  const many = () => {
    made ??= several(found);
    return made;
  };

  test(`a bulk operation on ${bulkSize} tickets, two of them unknown, reports ${found} successes and 2 errors, in at most 16 round trips`, async () => {
    const own = await many();
    const foreign = await newTicketOf(globex.admin);
    const names = namesOf(own);
    const ticketIds = [
      ...names.slice(0, 10),
      'tkt_zzz',
      ...names.slice(10, 20),
      foreign.uniqueId,
      ...names.slice(20),
    ];
    injectFaults();
    const { result, sequence, exchanges } = await measure(() =>
      admin.ok(bulkTickets, { headers: freshKey(), body: { ticketIds, ...status('in_progress') } }),
    );
    expect(injected).toMatchObject({ overlaps: 0, conflicts: 0 });
    expect(sequence).toBeLessThanOrEqual(16);
    expect(exchanges.filter(({ operation }) => operation === 'TransactWriteItems')).toHaveLength(
      bulkSize - 1,
    );
    const counts = { totalRequested: bulkSize, successCount: found, failureCount: 2 };
    expect(result).toMatchObject({ success: false, ...counts });
    expect(result.results).toEqual(
      ticketIds.map((ticketId, place) => ({
        ticketId,
        success: place !== 10 && place !== 21,
        error: place === 10 || place === 21 ? 'not_found' : null,
      })),
    );
    noFaults();
    expect(new Set((await readAll(own)).map((ticket) => ticket.status))).toEqual(new Set(['in_progress']));
    expect((await globex.admin.ok(readTicket, byId(foreign))).status).toBe('open');
  });

  test('an undo restores all tickets except the ten that other requests changed', async () => {
    const own = await many();
    const before = (await readAll(own)).map((ticket) => ticket.status);
    const done = await bulk(namesOf(own), status('waiting_internal'));
    for (const ticket of own.slice(10, 20)) await patch(ticket, { status: 'closed' });
    const { success, successCount, results } = await undo(done);
    expect([success, successCount, results.length]).toEqual([false, found - 10, found]);
    expect(results.map(({ ticketId }) => ticketId)).toEqual(namesOf(own));
    expect(results.map(({ error }) => error)).toEqual(
      own.map((_, n) => (n >= 10 && n < 20 ? 'changed_since' : null)),
    );
    expect((await readAll(own)).map((ticket) => ticket.status)).toEqual(
      before.map((was, n) => (n >= 10 && n < 20 ? 'closed' : was)),
    );
  });
});

describe('the input of a bulk operation', () => {
  test('several references to a ticket, in upper or lower case, give one result under the first reference', async () => {
    const [one, other] = (await several(2)) as [Ticket, Ticket];
    const names = [
      one.ticketNumber.toLowerCase(),
      String(other.id),
      one.uniqueId.toUpperCase(),
      String(one.id),
      'TKT-999999',
      'TKT-999999',
    ];
    const result = await bulk(names, tagging('Twice'));
    expect(result.results).toEqual([
      { ticketId: names[0], success: true, error: null },
      { ticketId: names[1], success: true, error: null },
      { ticketId: 'TKT-999999', success: false, error: 'not_found' },
    ]);
    expect(result).toMatchObject({ totalRequested: 3, successCount: 2, failureCount: 1 });
    expect((await readAll([one, other])).map(({ tags, version }) => [tags, version])).toEqual([
      [['Twice'], 2],
      [['Twice'], 2],
    ]);
  });

  test('an empty or malformed reference is not found, and the other tickets are changed', async () => {
    const [one, other] = (await several(2)) as [Ticket, Ticket];
    const names = ['', one.uniqueId, ' ', 'x'.repeat(254), '#', other.ticketNumber];
    const result = await bulk(names, tagging('Kept'));
    expect(result).toMatchObject({ success: false, successCount: 2, failureCount: 4 });
    expect(result.results.map(({ ticketId, error }) => [ticketId, error])).toEqual(
      names.map((name) => [name, name === one.uniqueId || name === other.ticketNumber ? null : 'not_found']),
    );
  });

  test('a ticket that needs no change succeeds without an event', async () => {
    const ticket = await create({ tags: ['there'] });
    const result = await bulk([ticket.uniqueId], tagging('THERE'));
    expect(result).toMatchObject({ success: true, successCount: 1, failureCount: 0 });
    expect(await kindsOf([ticket])).toEqual([[]]);
    expect((await read(ticket)).version).toBe(1);
  });

  test('each action changes a ticket and emits events like a PATCH, and the events contain the bulkId', async () => {
    const { user } = await member(acme);
    const team = await admin.ok(createTeam, { body: { name: 'Front' } });
    const ticket = await create();
    const actions: [Action, Partial<Ticket>][] = [
      [{ action: 'assign', payload: { assignedTo: user.email } }, { assignedTo: String(user.id) }],
      [{ action: 'assign', payload: { assignedTeamId: String(team.id) } }, { assignedTeamId: team.id }],
      [status('resolved'), { status: 'resolved' }],
      [{ action: 'change_priority', payload: { priority: 'urgent' } }, { priority: 'urgent' }],
      [tagging('Hot'), { tags: ['Hot'] }],
      [{ action: 'remove_tag', payload: { tag: 'HOT' } }, { tags: [] }],
    ];
    for (const [action, expected] of actions) {
      const { bulkId, executionTime } = await bulk([ticket.uniqueId], action);
      expect(executionTime).toBeGreaterThanOrEqual(0);
      expect(await read(ticket)).toMatchObject(expected);
      const [events = []] = await eventsOf([ticket]);
      expect(events.at(-1)?.data).toMatchObject({ bulkId });
    }
    const [kinds] = await kindsOf([ticket]);
    expect(kinds?.join(' ').replaceAll('ticket_', '')).toBe(
      'updated assigned updated assigned updated status_changed updated updated updated',
    );
    expect(await admin.ok(readTicketAssignment, byId(ticket))).toMatchObject({
      how: 'bulk',
      by: acme.adminEmail,
    });
    await bulk([ticket.uniqueId], { action: 'assign', payload: { assignedTo: null, assignedTeamId: null } });
    const after = await read(ticket);
    expect([after.assignedTo, after.assignedTeamId]).toEqual([undefined, undefined]);
  });

  test('assign without assignee and team succeeds and changes nothing', async () => {
    const { user } = await member(acme);
    const own = (await several(2, { assignedTo: user.email })) as [Ticket, Ticket];
    const result = await bulk([...namesOf(own), 'nobody’s'], { action: 'assign', payload: {} });
    expect(errorsOf(result)).toEqual([null, null, 'not_found']);
    expect(await readAll(own)).toEqual(own);
    expect(await kindsOf(own)).toEqual([[], []]);
  });

  test('an invalid bulk returns 400 with the field and the reason, before any write', async () => {
    const ticket = await create();
    const inactive = await admin.ok(createTeam, { body: { name: 'Closed' } });
    await admin.ok(deactivateTeam, { params: { id: inactive.id } });
    const ids = [ticket.uniqueId];
    const actions = 'must be one of assign, change_status, change_priority, add_tag, remove_tag';
    const foreign = 'is not a field of this request';
    const tries: [body: object, field: string, message?: string][] = [
      [{ ticketIds: [], ...tagging('x') }, 'ticketIds'],
      [{ ticketIds: Array.from({ length: 101 }, () => ticket.uniqueId), ...tagging('x') }, 'ticketIds'],
      [{ ticketIds: [7], ...tagging('x') }, 'ticketIds[0]'],
      [{ ticketIds: ['x'.repeat(255)], ...tagging('x') }, 'ticketIds[0]'],
      [tagging('x'), 'ticketIds'],
      [{ ticketIds: ids, payload: { tag: 'x' } }, 'action', 'is required'],
      [{ ticketIds: ids, action: 'close', payload: {} }, 'action', actions],
      [{ ticketIds: ids, action: 7, payload: {} }, 'action', actions],
      [{ ticketIds: ids, action: 'add_tag' }, 'payload', 'is required'],
      [{ ticketIds: ids, ...tagging('x'), tag: 'x' }, 'tag', foreign],
      [{ ticketIds: ids, action: 'add_tag', payload: {} }, 'payload.tag', 'is required'],
      [{ ticketIds: ids, action: 'remove_tag', payload: {} }, 'payload.tag', 'is required'],
      [{ ticketIds: ids, ...tagging('') }, 'payload.tag'],
      [{ ticketIds: ids, ...tagging('x'.repeat(65)) }, 'payload.tag'],
      [
        { ticketIds: ids, action: 'add_tag', payload: { tag: 'x', status: 'open' } },
        'payload.status',
        foreign,
      ],
      [
        { ticketIds: ids, action: 'add_tag', payload: { tag: 'x', colour: 'red' } },
        'payload.colour',
        foreign,
      ],
      [{ ticketIds: ids, action: 'change_status', payload: {} }, 'payload.status', 'is required'],
      [{ ticketIds: ids, action: 'change_status', payload: { status: 'gone' } }, 'payload.status'],
      [{ ticketIds: ids, action: 'change_priority', payload: {} }, 'payload.priority', 'is required'],
      [{ ticketIds: ids, action: 'change_priority', payload: { priority: 'top' } }, 'payload.priority'],
      [{ ticketIds: ids, action: 'assign', payload: { tag: 'x' } }, 'payload.tag', foreign],
      [{ ticketIds: ids, action: 'assign', payload: { assignedTeamId: 'x' } }, 'payload.assignedTeamId'],
      [{ ticketIds: ids, action: 'assign', payload: { assignedTeamId: 0 } }, 'payload.assignedTeamId'],
      [{ ticketIds: ids, action: 'assign', payload: { assignedTo: 'nobody@acme.test' } }, 'assignedTo'],
      [{ ticketIds: ids, action: 'assign', payload: { assignedTeamId: '7' } }, 'assignedTeamId'],
      [{ ticketIds: ids, action: 'assign', payload: { assignedTeamId: inactive.id } }, 'assignedTeamId'],
    ];
    for (const [body, field, message] of tries) {
      const { status: code, body: error } = await admin.call(bulkTickets, { rawBody: JSON.stringify(body) });
      expect([code, error.details?.[0]?.field ?? error.error], JSON.stringify(body).slice(0, 200)).toEqual([
        400,
        field,
      ]);
      if (message) expect(error.details).toEqual([{ field, message }]);
    }
    expect((await read(ticket)).version).toBe(1);
  });

  test('a bulk operation and its undo need both permissions', async () => {
    const ticket = await create();
    const { bulkId } = await bulk([ticket.uniqueId], tagging('before'));
    const params = { bulkId };
    for (const permissions of [['bulkTickets'], ['writeTickets'], ['bulkTickets', 'writeTickets']] as const) {
      const { client } = await member(acme, [...permissions]);
      const body = { ticketIds: [ticket.uniqueId], ...tagging('before') };
      const statuses = [
        (await client.call(bulkTickets, { body })).status,
        (await client.call(undoBulk, { params, query: { dryRun: true } })).status,
      ];
      expect(statuses, permissions.join()).toEqual(permissions.length === 2 ? [200, 200] : [403, 403]);
    }
    expect((await globex.admin.call(undoBulk, { params })).status).toBe(404);
  });
});

describe('the independence of tickets', () => {
  test('a ticket that fails reports its error and does not stop the other tickets', async () => {
    const [first, large, damaged, last] = (await several(4)) as [Ticket, Ticket, Ticket, Ticket];
    const full = await create({ tags: Array.from({ length: 50 }, (_, n) => `tag ${n}`) });
    await corrupt(large, 'metaData', { all: 'x'.repeat(300 * 1024) });
    await corrupt(damaged, 'clock', 'none');
    const all = [first, full, large, damaged, last];
    const result = await bulk([...namesOf(all), 'nobody’s'], tagging('one more'));
    expect(errorsOf(result)).toEqual([
      null,
      'too_many_tags',
      'record_too_large',
      'internal_error',
      null,
      'not_found',
    ]);
    expect(result).toMatchObject({ success: false, successCount: 2, failureCount: 4 });
    for (const ticket of [first, last]) expect((await read(ticket)).tags).toEqual(['one more']);
  });

  test('two tags added concurrently are both stored', async () => {
    const own = await several(3);
    let other: Promise<BulkResult> | undefined;
    interfere(async () => {
      other = bulk(namesOf(own), tagging('blue'));
      await other;
    });
    const one = await bulk(namesOf(own), tagging('red'));
    expect([one.success, (await other)?.success]).toEqual([true, true]);
    for (const ticket of await readAll(own)) expect(ticket.tags.toSorted()).toEqual(['blue', 'red']);
    expect(await kindsOf(own)).toEqual(own.map(() => ['ticket_updated', 'ticket_updated']));
  });

  test('a ticket that is deleted during a bulk operation is not found, and the other tickets are changed', async () => {
    const own = (await several(2)) as [Ticket, Ticket];
    interfere(() => admin.ok(deleteTicket, byId(own[0])));
    const result = await bulk(namesOf(own), tagging('late'));
    expect(errorsOf(result)).toEqual(['not_found', null]);
  });

  test('when time runs out, started tickets are completed and the other tickets report out_of_time', async () => {
    const own = await several(11);
    const real = Date.now;
    let late = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + late);
    // A request has 240 s in these tests, and no ticket is started in the last 2 s.
    beforeTransaction(1, () => {
      late = 238_500;
    });
    const result = await bulk(namesOf(own), status('resolved'));
    vi.restoreAllMocks();
    expect(errorsOf(result)).toEqual(own.map((_, n) => (n < 8 ? null : 'out_of_time')));
    expect((await readAll(own)).map((ticket) => ticket.status)).toEqual(
      own.map((_, n) => (n < 8 ? 'resolved' : 'open')),
    );
    expect(await kindsOf(own)).toEqual(own.map((_, n) => (n < 8 ? changedStatus : [])));
  });

  test('if another request changes a ticket first, the update of that ticket is retried with exponential backoff', async () => {
    const ticket = await create();
    beforeNextTransaction(async () => {
      await patch(ticket, { subject: 'One' });
      beforeNextTransaction(() => patch(ticket, { subject: 'Two' }));
    });
    vi.spyOn(Math, 'random').mockReturnValue(0.734);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    expect((await bulk([ticket.uniqueId], tagging('late'))).success).toBe(true);
    const waits = timers.mock.calls.map(([, milliseconds]) => milliseconds);
    expect(waits.filter((wait) => wait === 0.734 * 50 || wait === 0.734 * 100)).toEqual([
      0.734 * 50,
      0.734 * 100,
    ]);
  });

  test('a ticket that other requests keep changing reports busy, and the other tickets succeed', async () => {
    const own = (await several(2)) as [Ticket, Ticket];
    const real = Date.now;
    let late = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => real() + late);
    interfere(async () => {
      await patch(own[0], { subject: 'Another' });
      late = 239_500;
    });
    const result = await bulk(namesOf(own), tagging('late'));
    vi.restoreAllMocks();
    expect(errorsOf(result)).toEqual(['busy', null]);
  });

  test('a bulk operation, but not its dry run, advances the rotation once for each reopened ticket with an inactive assignee', async () => {
    const { user: gone } = await member(acme);
    const { user: there } = await member(acme);
    const { user: other } = await member(acme);
    const { uniqueId: rotationId } = await newRotationOf(admin, [there.email, other.email]);
    const { uniqueId } = await newTypeOf(admin, { autoAssignmentEnabled: true, rotationId });
    const given = { assignedTo: String(gone.id), status: 'closed' } as const;
    const typed = await several(3, { ...given, ticketTypeId: uniqueId });
    const plain = await create(given);
    await admin.ok(updateUser, { params: { email: gone.email }, body: { active: false } });
    const own = [...typed, plain];
    const body = { ticketIds: namesOf(own), ...status('open') };
    const slotsBefore = await slotItems();
    const previewed = await admin.dryRun(bulkTickets, { body });
    expect(await slotItems()).toEqual(slotsBefore);
    const done = await bulk(body.ticketIds, status('open'));
    expect(done.success).toBe(true);
    const holders = (await readAll(own)).map(({ assignedTo }) => assignedTo);
    // The order in which the rotation assigns the tickets is not deterministic.
    const [one, two] = [String(there.id), String(other.id)];
    expect(holders.slice(0, 3).toSorted()).toEqual([one, two, one].toSorted());
    expect(holders[3]).toBeUndefined();
    const assignedBy = (events: unknown) =>
      (events as { kind: string; data: { assignedTo?: string | null } }[])
        .filter(({ kind }) => kind === 'ticket_assigned')
        .map(({ data }) => data.assignedTo ?? 'nobody');
    expect(assignedBy(previewed.events).toSorted()).toEqual([one, two, one, 'nobody'].toSorted());
    expect(assignedBy((await eventsOf(own)).flat()).toSorted()).toEqual([one, two, one, 'nobody'].toSorted());
    const turns = await Promise.all(typed.map((one) => admin.ok(readTicketAssignment, byId(one))));
    expect(turns.map(({ how, turn }) => [how, turn?.slot]).toSorted()).toEqual([
      ['reopened', 0],
      ['reopened', 1],
      ['reopened', 2],
    ]);
    // The undo does not assign the tickets to the inactive user again, but restores all other values.
    const undone = await undo(done);
    expect(errorsOf(undone)).toEqual(own.map(() => 'user_unknown'));
    expect((await readAll(own)).map((one) => [one.status, one.assignedTo])).toEqual([
      ...typed.map((_, n) => ['closed', holders[n]]),
      ['closed', undefined],
    ]);
  });
});

const slotItems = async () => (await scanTable()).filter(({ sk }) => sk.startsWith('SLOT#'));
const withoutCalls = async () => (await scanTable()).filter(({ pk }) => !pk.includes('#CALLS#'));

describe('a bulk operation with an Idempotency-Key', () => {
  /** Simulates a kill: every request from the nth transaction on fails. */
  function killedAt(nth: number): () => void {
    let sent = 0;
    let alive = true;
    const stop = watchWire({
      before({ invocation, operation }) {
        if (!invocation) return;
        if (operation === 'TransactWriteItems') sent += 1;
        if (sent >= nth) alive = false;
        if (!alive) throw new Error('killed');
      },
    });
    stops.push(stop);
    return stop;
  }

  test('a bulk operation that was killed and repeated with its key emits one event per ticket', async () => {
    const own = await several(12);
    const headers = freshKey();
    const body = { ticketIds: namesOf(own), ...tagging('once') };
    const revive = killedAt(6);
    expect((await admin.call(bulkTickets, { headers, body })).status).toBe(500);
    revive();
    const changed = (await readAll(own)).filter(({ tags }) => tags.includes('once'));
    expect(changed).toHaveLength(5);
    // Changes one of these tickets before the repeat. The repeat keeps this change, because it does not
    // process the ticket again.
    const [reverted] = changed as [Ticket];
    await patch(reverted, { tags: [] });
    const result = await admin.ok(bulkTickets, { headers, body });
    expect(result).toMatchObject({ success: true, successCount: 12 });
    for (const events of await eventsOf(own))
      expect(events.filter(({ data }) => (data as { bulkId?: string }).bulkId)).toEqual([
        expect.objectContaining({
          kind: 'ticket_updated',
          data: expect.objectContaining({ bulkId: result.bulkId }),
        }),
      ]);
    expect((await read(reverted)).tags).toEqual([]);
    const again = await admin.call(bulkTickets, { headers, body });
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', result]);
    expect(errorsOf(await undo(result))).toEqual(
      own.map(({ id }) => (id === reverted.id ? 'changed_since' : null)),
    );
  });

  test('an expired journal entry is ignored', async () => {
    const ticket = await create();
    const headers = freshKey();
    const body = { ticketIds: [ticket.uniqueId], ...tagging('daily') };
    const { bulkId } = await acme.directKey.ok(bulkTickets, { headers, body });
    clock.advance(25 * 3600_000);
    const params = { ticketId: String(ticket.id) };
    await acme.directKey.ok(updateTicket, { params, body: { tags: [] } });
    interfere(() => acme.directKey.ok(updateTicket, { params, body: { subject: 'Another' } }));
    const again = await acme.directKey.ok(bulkTickets, { headers, body });
    expect([again.bulkId, errorsOf(again)]).toEqual([bulkId, [null]]);
    expect((await acme.directKey.ok(readTicket, { params })).tags).toEqual(['daily']);
  });

  test('five concurrent requests with the same Idempotency-Key change each ticket once, and all get the same response', async () => {
    const own = await several(5);
    const headers = freshKey();
    const body = { ticketIds: namesOf(own), ...status('waiting_customer') };
    const all = await concurrently(5, () => admin.ok(bulkTickets, { headers, body }));
    expect(new Set(all.map((one) => JSON.stringify(one)))).toHaveLength(1);
    expect(all[0]?.success).toBe(true);
    expect(await kindsOf(own)).toEqual(own.map(() => changedStatus));
  });

  test('an undo that was killed and repeated with its key recognizes its own changes', async () => {
    const own = await several(12);
    const done = await bulk(namesOf(own), status('closed'));
    await patch(own[11] as Ticket, { status: 'in_progress' });
    const [headers, params] = [freshKey(), { bulkId: done.bulkId }];
    const revive = killedAt(6);
    expect((await admin.call(undoBulk, { headers, params })).status).toBe(500);
    revive();
    const result = await admin.ok(undoBulk, { headers, params });
    expect(errorsOf(result)).toEqual(own.map((_, n) => (n === 11 ? 'changed_since' : null)));
    expect(await kindsOf(own)).toEqual(own.map(() => [...changedStatus, ...changedStatus]));
  });

  test('the id of a bulk operation depends on the Idempotency-Key and the caller, and is always new without this header', async () => {
    const ticket = await create();
    const headers = freshKey();
    const body = { ticketIds: [ticket.uniqueId], ...tagging('named') };
    const { bulkId } = await admin.ok(bulkTickets, { headers, body });
    const others = [
      (await admin.dryRun(bulkTickets, { headers: freshKey(), body })).answer,
      (await acme.key.dryRun(bulkTickets, { headers, body })).answer,
      (await admin.dryRun(bulkTickets, { body })).answer,
      (await admin.dryRun(bulkTickets, { body })).answer,
    ];
    expect(new Set([bulkId, ...others.map((one) => one.bulkId)])).toHaveLength(5);
  });
});

describe('an undo', () => {
  test('an undo reverts each action, emits its own events, and can itself be undone', async () => {
    const { user } = await member(acme);
    const team = await admin.ok(createTeam, { body: { name: 'Back' } });
    const ticket = await create({ tags: ['kept', 'Old'], status: 'open', priority: 'low' });
    const actions: Action[] = [
      { action: 'assign', payload: { assignedTo: String(user.id), assignedTeamId: team.id } },
      status('waiting_customer'),
      { action: 'change_priority', payload: { priority: 'high' } },
      tagging('new'),
      { action: 'remove_tag', payload: { tag: 'oLD' } },
    ];
    const shown = async () => {
      const { assignedTo, assignedTeamId, status: now, priority, tags } = await read(ticket);
      return { assignedTo, assignedTeamId, status: now, priority, tags: tags.toSorted() };
    };
    for (const action of actions) {
      const before = await shown();
      const done = await bulk([ticket.ticketNumber], action);
      const after = await shown();
      expect(after, action.action).not.toEqual(before);
      const undone = await undo(done);
      expect(undone.results).toEqual([{ ticketId: ticket.ticketNumber, success: true, error: null }]);
      expect(undone.bulkId).not.toBe(done.bulkId);
      expect(await shown(), action.action).toEqual(before);
      const [events = []] = await eventsOf([ticket]);
      expect(events.at(-1)?.data).toMatchObject({ bulkId: undone.bulkId });
      expect((await undo(undone)).success).toBe(true);
      expect(await shown(), action.action).toEqual(after);
    }
  });

  test('an undo of a tag keeps other tags, and reports changed_since if the tag was changed', async () => {
    const own = (await several(2)) as [Ticket, Ticket];
    const done = await bulk(namesOf(own), tagging('mine'));
    await patch(own[0], { tags: ['MINE', 'yours'] });
    await patch(own[1], { tags: ['yours'] });
    expect(errorsOf(await undo(done))).toEqual([null, 'changed_since']);
    for (const ticket of own) expect((await read(ticket)).tags).toEqual(['yours']);
  });

  test('an undo of a removed tag that was added again reports changed_since', async () => {
    const ticket = await create({ tags: ['VIP', 'kept'] });
    const done = await bulk([ticket.uniqueId], { action: 'remove_tag', payload: { tag: 'vip' } });
    await patch(ticket, { tags: ['kept', 'Vip'] });
    expect(errorsOf(await undo(done))).toEqual(['changed_since']);
    expect((await read(ticket)).tags).toEqual(['kept', 'Vip']);
  });

  test('changed_since takes precedence over other errors of an undo', async () => {
    const { user: gone } = await member(acme);
    const { user: next } = await member(acme);
    const team = await admin.ok(createTeam, { body: { name: 'Several' } });
    const ticket = await create({ assignedTo: gone.email });
    const done = await bulk([ticket.uniqueId], {
      action: 'assign',
      payload: { assignedTo: next.email, assignedTeamId: team.id },
    });
    await admin.ok(updateUser, { params: { email: gone.email }, body: { active: false } });
    await patch(ticket, { assignedTeamId: null });
    expect(errorsOf(await undo(done))).toEqual(['changed_since']);
    expect((await read(ticket)).assignedTo).toBe(String(next.id));
  });

  test('an undo restores the values that were not changed since, and reports changed_since for the other values', async () => {
    const { user } = await member(acme);
    const team = await admin.ok(createTeam, { body: { name: 'Half' } });
    const ticket = await create();
    const done = await bulk([ticket.uniqueId], {
      action: 'assign',
      payload: { assignedTo: String(user.id), assignedTeamId: team.id },
    });
    await patch(ticket, { assignedTo: acme.adminEmail });
    expect(errorsOf(await undo(done))).toEqual(['changed_since']);
    const after = await read(ticket);
    expect([after.assignedTo === undefined, after.assignedTeamId]).toEqual([false, undefined]);
  });

  test('an undo does not assign a ticket to an inactive team', async () => {
    const [one, other] = [
      await admin.ok(createTeam, { body: { name: 'One' } }),
      await admin.ok(createTeam, { body: { name: 'Other' } }),
    ];
    const ticket = await create({ assignedTeamId: one.id });
    const done = await bulk([ticket.uniqueId], { action: 'assign', payload: { assignedTeamId: other.id } });
    await admin.ok(deactivateTeam, { params: { id: one.id } });
    expect(errorsOf(await undo(done))).toEqual(['team_unknown']);
    expect((await read(ticket)).assignedTeamId).toBe(other.id);
  });

  test('a bulk operation that is older than a day, or changed nothing, cannot be undone', async () => {
    const ticket = await create();
    const done = await bulk([ticket.uniqueId], tagging('yesterday'), acme.directKey);
    const nothing = await bulk([ticket.uniqueId], tagging('yesterday'), acme.directKey);
    const outcome = async (bulkId: string) =>
      (await acme.directKey.call(undoBulk, { params: { bulkId }, query: { dryRun: true } })).status;
    expect(await outcome(nothing.bulkId)).toBe(404);
    expect(await outcome('bulk_0')).toBe(404);
    clock.advance(24 * 3600_000 - 60_000);
    expect(await outcome(done.bulkId)).toBe(200);
    clock.advance(2 * 60_000);
    expect(await outcome(done.bulkId)).toBe(404);
  });
});

test('a dry run of a bulk operation or its undo writes nothing and previews the result', async () => {
  const own = await several(3);
  const body = { ticketIds: [...namesOf(own), 'nobody’s'], ...status('resolved') };
  const previewOf = ({
    answer: { bulkId, executionTime, ...answer },
    changes,
    events,
  }: Awaited<ReturnType<typeof dry>>) => ({ answer, changes, kinds: events.map(({ kind }) => kind) });
  const dry = () => admin.dryRun(bulkTickets, { body });
  const before = await withoutCalls();
  const previewed = previewOf(await dry());
  expect(await withoutCalls()).toEqual(before);
  expect(previewed.changes.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
  expect(previewed.kinds.filter((kind) => kind === 'ticket_status_changed')).toHaveLength(3);
  const { bulkId, executionTime, ...result } = await admin.ok(bulkTickets, { body });
  expect(result).toEqual(previewed.answer);
  const between = await withoutCalls();
  const undone = await admin.dryRun(undoBulk, { params: { bulkId } });
  expect(await withoutCalls()).toEqual(between);
  expect(undone.answer).toMatchObject({ success: true, successCount: 3 });
  expect((await readAll(own)).map((ticket) => ticket.status)).toEqual(['resolved', 'resolved', 'resolved']);
});
