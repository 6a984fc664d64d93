import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { changesWithEvents } from '../../infra/operations/compare-surveys.ts';
import { kindOfKey } from '../../infra/operations/survey-table.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { routesEvery } from '../harness/heavy.ts';
import { signIn, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { nameOf } from '../routes/records.ts';
import { measureEveryEndpoint } from './every-endpoint.ts';
import { tableOfCosts } from './table.ts';

const all = await loadEndpoints();
const costs = await measureEveryEndpoint();

const file = join(root, 'test', 'costs.md');

test('every call and event costs what its line in test/costs.md says', async () => {
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '';
  // Consumers run in parallel, so the timing can join requests of an event. A lower number is therefore accepted.
  const events = costs.events.map((cost) => {
    const [, sequence = 0] = new RegExp(`^\\| \`${cost.of}\` \\| \\d+ \\| (\\d+) `, 'm').exec(written) ?? [];
    return { ...cost, sequence: Math.max(cost.sequence, Number(sequence)) };
  });
  await expect(tableOfCosts({ calls: costs.calls, events })).toMatchFileSnapshot(file);
});

/**
 * The most write units of a creation with everything that it causes. A higher limit makes each record of a customer more
 * expensive, so the index, the audit log or the notifications should pay for it elsewhere.
 */
const mostUnits = {
  'POST /leads': 43,
  'POST /tickets': 67,
  'POST /applications': 64,
  'POST /merchants': 59,
  'POST /invoices': 24,
};

test.each(Object.entries(mostUnits))(
  '%s with everything that it causes writes at most %i units',
  (of, most) => {
    const { write, events } =
      costs.calls.find((call) => call.of === of) ?? expect.fail(`${of} was not measured`);
    const caused = events.map((kind) => costs.events.find((event) => event.of === kind)?.write ?? 0);
    expect(caused.length).toBeGreaterThan(0);
    expect(write + caused.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(most);
  },
);

test('a reply by mail reads at most 10 units and writes at most 39 units with everything that it causes', () => {
  const of = 'MAIL that replies to a ticket, with all it causes';
  const { read, write } = costs.calls.find((call) => call.of === of) ?? expect.fail(`${of} was not measured`);
  expect(read).toBeLessThanOrEqual(10);
  expect(write).toBeLessThanOrEqual(39);
});

test('a mailed comment causes one request to SES', () => {
  const of = 'POST /tickets/{ticketId}/comments, mailed, with all it causes';
  expect(costs.calls.find((call) => call.of === of)?.elsewhere['ses SendEmail']).toBe(1);
});

type Written = Record<string, { S?: string }>;

/** The keys that a request writes. */
function writtenKeys(input: Record<string, unknown>): Written[] {
  type Write = { Item?: Written; Key?: Written };
  type Of<K extends string> = Partial<Record<K, Write>>;
  const { TransactItems, RequestItems, ...alone } = input as {
    TransactItems?: Of<'Put' | 'Update' | 'Delete'>[];
    RequestItems?: Record<string, Of<'PutRequest' | 'DeleteRequest'>[]>;
  } & Write;
  const writes = [
    ...(TransactItems ?? []).map(({ Put, Update, Delete }) => Put ?? Update ?? Delete),
    ...Object.values(RequestItems ?? {}).flatMap((requests) =>
      requests.map(({ PutRequest, DeleteRequest }) => PutRequest ?? DeleteRequest),
    ),
    alone,
  ];
  return writes.flatMap((write) => [write?.Item ?? write?.Key].filter((key) => key !== undefined));
}

test('each record that `restored-tables compare` compares is written in one transaction with an event of its account', () => {
  const without = costs.exchanges
    .filter(({ status, operation }) => status === 200 && /Write|Put|Update|Delete/.test(operation))
    // The cleanup deletes the children of a deleted record later, and emits no event of its own.
    .filter(({ invocation }) => invocation?.functionName !== 'events-cleanup')
    .flatMap(({ input, operation, invocation }) => {
      const keys = writtenKeys(input).map(({ pk, sk }) => ({ pk: pk?.S ?? '', sk: sk?.S ?? '' }));
      return keys
        .map((key) => ({ ...kindOfKey(key), by: `${invocation?.functionName} ${operation}` }))
        .filter(
          ({ account, kind }) =>
            account && changesWithEvents(kind) && !keys.some(({ pk }) => pk === eventPartition(account)),
        );
    });
  expect([...new Set(without.map(({ kind, by }) => `${kind} by ${by}`))].sort()).toEqual([]);
});

test('after a successful call has responded, no request to AWS is in progress', () => {
  expect(costs.pending).toEqual([]);
});

test('an endpoint waits for slow counter writes before it responds, even if the response is an error', async () => {
  const { accountId, apiKey, apiSecret } = await tenant();
  let authorization = '';
  const guarded = all
    .filter(({ endpoint }) => endpoint.contract.access !== 'public')
    .filter((_, n) => n % routesEvery === 0);
  for (const [n, { endpoint }] of guarded.entries()) {
    // The clock advances an hour for each endpoint. A session lasts twelve hours, so ten endpoints share it.
    if (n % 10 === 0) authorization = await signIn({ apiKey, apiSecret });
    const headers = { authorization, 'x-account-id': accountId };
    // After an hour, the next request again writes both the caller's counter and the key's last use.
    clock.advance(3600_000);
    let [answered, sideWrites] = [false, 0];
    const late: string[] = [];
    const stop = watchWire({
      async done({ invocation, operation }) {
        if (!invocation || operation !== 'UpdateItem') return;
        sideWrites += 1;
        for (let turn = 0; turn < 50; turn++) await setImmediate();
        if (answered) late.push(operation);
      },
    });
    await call(endpoint, { headers, rawBody: '{"nonsense":', query: { nonsense: 'yes' } });
    answered = true;
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    stop();
    expect({ sideWrites, late }, nameOf(endpoint.contract)).toEqual({ sideWrites: 2, late: [] });
  }
});
