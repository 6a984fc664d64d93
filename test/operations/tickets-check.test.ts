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

const check = operatorsCommand('tickets-check');

const acme = await tenant();
const stranger = await tenant();
const account = acme.accountId;
const patch = (id: number, body: object) =>
  acme.directKey.ok(updateTicket, { params: { ticketId: String(id) }, body });

/** A desk with a past: every status, policies, breaches, comments, an assignee, a deletion. */
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

/** Too many in a shard, whatever it holds: which of a total's shards a ticket counts in is left to chance. */
const more = (by: number) => (held: unknown) => Number(held ?? 0) + by;

/** Sets an attribute of an item past all rules, for as long as something runs; a function makes it of what is there. */
async function spoilt<T>(key: Key, attribute: string, value: unknown, run: () => Promise<T>): Promise<T> {
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

test('the command is silent where all agree, and names a figure, then a total, that were spoilt by hand', async () => {
  expect(await check.asProcess('--account', account, '--stage', 'local')).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const record = recordKey(account, 'TICKET', urgent);
  const wrong = { ...((await getItem(record))?.clock as object), used: 60_000 };
  const figure = await spoilt(record, 'clock', wrong, () =>
    check.here('--account', account, '--stage', 'local'),
  );
  expect(figure).toMatchObject({ code: 1, stderr: '' });
  expect(figure.stdout.split('\n')).toContain(
    `Ticket ${urgent} (TKT-000007): clock.used is 60000, but 0 according to its ledger.`,
  );
  const total = await spoilt(totalsKey(account, 3), 'TICKET open', more(4), () =>
    check.here('--account', account, '--stage', 'local'),
  );
  expect(total).toMatchObject({ code: 1, stderr: '' });
  expect(total.stdout).toMatch(/^The total TICKET open of the account is 7, counted 3\.\n$/);
  const data = await check.here('--account', account, '--stage', 'local', '--json');
  expect(JSON.parse(data.stdout)).toEqual({ accountId: account, differences: [] });
  expect(await checkTickets(stranger.accountId)).toEqual([]);
}, 60_000);

const [open = 0, waiting = 0] = [made[0], made[2]];
const summary = summaryKey(account, 'TICKET', open);
const entry = (id: number, n: number) =>
  childKey({ account, parent: 'TICKET', parentId: id, kind: 'CLOCK' }, n);

test.each<[string, Key, string, unknown, RegExp[]]>([
  [
    'a place by status',
    summary,
    'statePk',
    `ACCOUNT#${account}#TICKET#closed`,
    [/: missing in index state, partition \S+#open\./, /: unexpected in index state, partition \S+#closed\./],
  ],
  [
    'a place by holder',
    summary,
    'holderSk',
    '1',
    [/SUMMARY\.holderSk is "1"/, /: missing in index holder, partition \S+#none#open\./],
  ],
  [
    'the place in the list',
    summary,
    'listPk',
    'ELSEWHERE',
    [/: missing in index list, /, /^index list, partition \S+: \d tickets, expected \d\.$/],
  ],
  [
    'when something is due',
    summary,
    'duePk',
    'DUE#9',
    [/SUMMARY\.duePk is "DUE#9", but "DUE#\d" according to its record/, /: missing in index due/],
  ],
  [
    'what lists show',
    summary,
    'subject',
    'Another',
    [/SUMMARY\.subject is "Another", but "The terminal does not print"/],
  ],
  [
    'a status without its clock',
    recordKey(account, 'TICKET', waiting),
    'status',
    'open',
    [/status is "open", but "waiting_customer" according to its clock/],
  ],
  [
    'an entry',
    entry(waiting, 2),
    'status',
    'resolved',
    [/clock\.status is "waiting_customer", but "resolved"/],
  ],
  ['an entry that is none', entry(waiting, 2), 'kind', 'created', [/its ledger is invalid: /]],
  [
    'the number of comments',
    recordKey(account, 'TICKET', open),
    'commentCount',
    7,
    [/commentCount is 7, but 2 according to its comments/],
  ],
  [
    'the number of files',
    recordKey(account, 'TICKET', open),
    'attachmentCount',
    3,
    [/attachmentCount is 3, but 0 according to its documents/],
  ],
  [
    'a total of nobody',
    totalsKey(account, 5, ['TICKET', 'none']),
    'TICKET closed',
    more(1),
    [/The total TICKET closed of holder none is 1, counted 0/],
  ],
  [
    'how many there are',
    totalsKey(account, 5),
    'TICKET',
    more(-3),
    [/The total TICKET of the account is 3, counted 6/],
  ],
  [
    'a record that is none',
    recordKey(account, 'TICKET', open),
    'deletedAt',
    '2026-03-01T00:00:00.000Z',
    [/Ticket \d+: has no record/, /: unexpected in index list, partition/],
  ],
])('it finds %s that was spoilt', async (_, key, attribute, value, sentences) => {
  const found = await spoilt(key, attribute, value, () => checkTickets(account));
  for (const sentence of sentences) expect(found).toContainEqual(expect.stringMatching(sentence));
  expect(await checkTickets(account)).toEqual([]);
});

test('an account that is not there is one sentence and exit code 1', async () => {
  const stderr = 'No account acc_nowhere in this table.\n';
  expect(await check.here('--account', 'acc_nowhere', '--stage', 'local')).toEqual({
    code: 1,
    stdout: '',
    stderr,
  });
});
