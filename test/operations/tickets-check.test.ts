import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import slaSweep from '../../events/schedules/sla-sweep.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import { checkTickets } from '../../infra/operations/check-tickets.ts';
import { ticketStatuses } from '../../shared/sla/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import { childKey, type Key, recordKey, summaryKey, totalsKey } from '../../shared/table/keys.ts';
import { deleteItem, putItem } from '../../shared/table/operations.ts';
import { getItem } from '../../shared/table/read.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { documents } from '../harness/documents.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const check = operatorsCommand('tickets', 'check');

const acme = await tenant();
const stranger = await tenant();
const account = acme.accountId;
const patch = (id: number, body: object) =>
  acme.directKey.ok(updateTicket, { params: { ticketId: String(id) }, body });

/** Tickets in every status, with changed policies, breaches, comments, an assignee and a deletion. */
const made: number[] = [];
for (const status of ticketStatuses) made.push((await newTicketOf(acme.directKey, { status })).id);
const urgent = (await newTicketOf(acme.directKey, { priority: 'urgent', assignedTo: acme.adminEmail })).id;
await acme.admin.ok(updateAccount, {
  params: { id: account },
  body: { slaTargets: { high: { firstResponse: 5, resolution: 30 } } },
});
for (const visibility of ['public', 'internal'] as const)
  await acme.directKey.ok(createTicketComment, {
    params: { ticketId: String(made[0]) },
    body: { body: 'We are on it.', visibility },
  });
await patch(made[1] ?? 0, { priority: 'high', tags: ['vip'], assignedTo: acme.adminEmail });
clock.advance(20 * 60_000);
await runSchedule(slaSweep, clock.now());
await patch(made[4] ?? 0, { status: 'open' });
await patch(made[1] ?? 0, { assignedTo: null });
await acme.directKey.ok(deleteTicket, { params: { ticketId: String(made.pop()) } });
await newTicketOf(stranger.directKey);

/**
 * Returns a function that adds to a stored count. A test does not know the stored count of a shard, because
 * each ticket is counted in a random shard.
 */
const more = (by: number) => (stored: unknown) => Number(stored ?? 0) + by;

/**
 * Changes an attribute of an item, calls `run`, and restores the item. `value` may be a function of the stored value.
 */
async function withCorrupted<T>(
  key: Key,
  attribute: string,
  value: unknown,
  run: () => Promise<T>,
): Promise<T> {
  const before = await getItem(key);
  const wrong = typeof value === 'function' ? value(before?.[attribute]) : value;
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: key,
      UpdateExpression: 'SET #attribute = :value',
      ExpressionAttributeNames: { '#attribute': attribute },
      ExpressionAttributeValues: { ':value': wrong },
    }),
  );
  return run().finally(() => transact([before ? putItem(before) : deleteItem(key)], Date.now() + 10_000));
}

test('the command reports a corrupted field and total; without differences, it prints the numbers of checked records', async () => {
  const options = ['--account', account, '--stage', 'local'];
  const agree = '6 tickets, 13 clock entries: all agree.\n';
  expect(await check.asProcess(...options)).toEqual({ code: 0, stdout: agree, stderr: '' });
  const record = recordKey(account, 'TICKET', urgent);
  const wrong = { ...((await getItem(record))?.clock as object), used: 60_000 };
  const field = await withCorrupted(record, 'clock', wrong, () => check.here(...options));
  expect(field).toMatchObject({ code: 1, stderr: '' });
  expect(field.stdout.split('\n')).toContain(
    `Ticket ${urgent} (TKT-000007): clock.used is 60000, but 0 according to its ledger.`,
  );
  const total = await withCorrupted(totalsKey(account, 3), 'TICKET open', more(4), () =>
    check.here(...options),
  );
  expect(total).toMatchObject({ code: 1, stderr: '' });
  expect(total.stdout).toMatch(/^The total TICKET open of the account is 7, expected 3\.\n$/);
  const data = await check.here(...options, '--json');
  expect(JSON.parse(data.stdout)).toEqual({
    accountId: account,
    tickets: 6,
    clockEntries: 13,
    differences: [],
  });
  expect((await checkTickets(stranger.accountId)).differences).toEqual([]);
});

const [open = 0, waiting = 0] = [made[0], made[2]];
const summary = summaryKey(account, 'TICKET', open);
const record = recordKey(account, 'TICKET', open);
const waitingRecord = recordKey(account, 'TICKET', waiting);
const entry = childKey({ account, parent: 'TICKET', parentId: waiting, kind: 'CLOCK' }, 2);
const closed = `ACCOUNT#${account}#TICKET#closed`;
const unassigned = totalsKey(account, 5, ['TICKET', 'none']);

test.each<[string, Key, string, unknown, ...RegExp[]]>([
  ['an index by status', summary, 'statePk', closed, /missing in .*#open\./, /unexpected in .*#closed\./],
  ['an index by holder', summary, 'holderSk', '1', /holderSk is "1"/, /missing in index holder.*#none#open/],
  ['the list index', summary, 'listPk', 'ELSEWHERE', /missing in index list/, /tickets, expected \d\.$/],
  [
    'a due date',
    summary,
    'duePk',
    'DUE#TICKET#9',
    /duePk is "DUE#TICKET#9", but "DUE#TICKET#\d"/,
    /missing in index due/,
  ],
  ['a summary', summary, 'subject', 'Another', /subject is "Another", but "The terminal does not print"/],
  ['a status', waitingRecord, 'status', 'open', /status is "open", but "waiting_customer" according/],
  ['a clock', entry, 'status', 'resolved', /clock\.status is "waiting_customer", but "resolved"/],
  ['an invalid ledger entry', entry, 'kind', 'created', /its ledger is invalid: /],
  ['a comment count', record, 'commentCount', 7, /commentCount is 7, but 2 according to its comments/],
  ['a file count', record, 'attachmentCount', 3, /attachmentCount is 3, but 0 according to its documents/],
  ['a total by holder', unassigned, 'TICKET closed', more(1), /closed of holder none is 1, expected 0/],
  ['a total', totalsKey(account, 5), 'TICKET', more(-3), /TICKET of the account is 3, expected 6/],
  ['a record', record, 'deletedAt', '2026-03-01', /Ticket \d+ has no record/, /unexpected in index list/],
])('the check reports a corruption of %s', async (_, key, attribute, value, ...sentences) => {
  const found = await withCorrupted(key, attribute, value, () => checkTickets(account));
  for (const sentence of sentences) expect(found.differences).toContainEqual(expect.stringMatching(sentence));
});

test('the check reports no difference after all corrupted items are restored', async () => {
  expect((await checkTickets(account)).differences).toEqual([]);
});

test('an unknown account is reported with exit code 1', async () => {
  const stderr = 'No account acc_nowhere in this table.\n';
  const failed = await check.here('--account', 'acc_nowhere', '--stage', 'local');
  expect(failed).toEqual({ code: 1, stdout: '', stderr });
});
