import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { changesWithEvents } from '../../infra/operations/compare-surveys.ts';
import { kindOfKey } from '../../infra/operations/survey-table.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { signIn, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { nameOf } from '../routes/records.ts';
import { measureEveryEndpoint } from './every-endpoint.ts';
import { comparedWith, readTable } from './table.ts';
import { currentCostPage } from './write-cost-page.ts';

const all = await loadEndpoints();
const costs = await measureEveryEndpoint();
const written = readFileSync(join(root, 'test', 'costs.md'), 'utf8');
const costOf = (route: string) => costs.calls.find(({ of }) => of === route);

describe('the table of costs', () => {
  test('no call or event costs more than the limit in its line of test/costs.md', () => {
    expect(comparedWith(written, costs)).toEqual([]);
  });

  test('the cost page has a price for every call in the table', async () => {
    const page = await currentCostPage();
    for (const [name] of readTable(written))
      if (/ [/$]/.test(name)) expect(page).toContain(`| \`${name}\` |`);
    expect(page).not.toMatch(/NaN|undefined/);
  });

  test('the table of costs has a line for every endpoint', () => {
    const lines = readTable(written);
    for (const { endpoint } of all)
      expect(lines.has(nameOf(endpoint.contract)), nameOf(endpoint.contract)).toBe(true);
  });

  test('the comparison reports a call that costs more than the limit in its line, a call without a line, and a line without a call', () => {
    const name = costs.calls.find(({ elsewhere }) => elsewhere['s3 CopyObject'])?.of ?? '';
    const dearer = costs.calls.map((cost) => ({
      ...cost,
      of: cost.of === 'GET /roles' ? 'GET /others' : cost.of,
      read: cost.of === 'GET /leads' ? cost.read + 1 : cost.read,
      elsewhere: cost.of === name ? { ...cost.elsewhere, 's3 CopyObject': 2 } : cost.elsewhere,
    }));
    expect(comparedWith(written, { ...costs, calls: dearer }).sort()).toEqual([
      expect.stringMatching(
        /^GET \/leads costs more .* read units [\d.]+ instead of [\d.]+; run npm run costs/,
      ),
      expect.stringMatching(/^GET \/others has no line .* run npm run costs/),
      expect.stringMatching(/^GET \/roles no longer exists/),
      expect.stringMatching(/^POST .* costs more .* s3 CopyObject 2 instead of 1; run npm run costs/),
    ]);
  });
});

/** Routes that need more requests in sequence than `promised`: how many more, and the reason. */
const longer: readonly [routes: RegExp, more: number, why: string][] = [
  [/^GET \/applications\/\{applicationId\}$/, 1, 'the event is committed before sensitive values are shown'],
  [/\/documents\/\{documentId\}\/complete$/, 1, 'the file is copied before the document is changed'],
  [/\/documents\/\{documentId\}\/link$/, 1, 'the event is committed before the link is shown'],
  [/^GET \/apikeys$/, 1, 'the last use of each key is read by the id of the key'],
  [/^(GET|DELETE) .*\/ticket-type-mappings/, 1, 'the types are read by the ids in the mappings'],
  [/^(GET|PATCH|DELETE) \/(lead|ticket)-rotations/, 1, 'the members are read by their ids in the rotation'],
  [/^POST \/ticket-rotations\/\{id\}\/reset$/, 1, 'the members are read by their ids in the rotation'],
  [/^POST \/(lead|ticket)-rotations$/, 1, 'the id of a member is looked up by email'],
  [/^GET \/events\/\{id\}\/proof$/, 1, 'the leaves are read by the root in the seal'],
  [/^GET \/events\/\{id\}\/explain$/, 2, 'the rules are read after authentication, then the recipients'],
  [/^(GET|PATCH) \/notifications/, 2, 'the inbox is read after authentication, then the notifications'],
  [/^POST \/notifications\/mark-all-read$/, 1, 'the inbox is read after authentication, then written'],
  [/^POST \/tickets\/bulk\/\{bulkId\}\/undo$/, 1, 'the tickets are read by their ids in the bulk'],
  [/^POST \/tickets$/, 1, 'the ticket number is assigned after all checks'],
  [
    /\/applications\/.*\/(collisions|risk-assessment)$/,
    1,
    'other records are found by the values of this record',
  ],
  [/^POST \/leads\/\{leadId\}\/assign$/, 1, 'the id of the assignee is looked up by email'],
  [
    /^DELETE \/users\/\{email\}(\/accounts\/\{accountId\})?$/,
    2,
    'the id of the user is looked up by email, and rotations are read by the id of the user',
  ],
  [/^POST \/reassignments$/, 1, 'the records are counted after the user is found'],
  [/^GET \/reassignments\/\{id\}$/, 1, 'the records are counted by the user in the job'],
  [/\/users\/\{email\}/, 1, 'the id of the user is looked up by email'],
];

describe('round trips in sequence', () => {
  const routes = all
    .map(({ endpoint }) => endpoint.contract)
    .filter(({ access = 'account' }) => access === 'account' || access === 'home');
  const promised = (method: string) => (method === 'GET' ? 1 : 2);

  test.each(routes)(
    '$method $path takes one round trip if it is a GET, otherwise two, plus the number in `longer`',
    (contract) => {
      const name = nameOf(contract);
      const [, more = 0] = longer.find(([routes]) => routes.test(name)) ?? [];
      expect(costOf(name)?.sequence).toBe(promised(contract.method) + more);
    },
  );

  test.each(['leads', 'tickets'])('creating %s with a rotation takes four round trips', (noun) => {
    expect(costOf(`POST /${noun}, by rotation`)?.sequence).toBe(4);
  });
});

test('every read of the base table by endpoints, relay and consumers is consistent', () => {
  const reads = costs.exchanges.filter(
    ({ service, operation }) => service === 'dynamodb' && /^(Get|BatchGet|Query)/.test(operation),
  );
  const asked = reads
    .filter(({ input }) => input.IndexName === undefined)
    .flatMap(({ input }) => Object.values((input.RequestItems as object | undefined) ?? { table: input }));
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.filter(({ ConsistentRead }) => ConsistentRead !== true)).toEqual([]);
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

test('every endpoint waits for slow counter writes before it responds, even if the response is an error', async () => {
  const { accountId, apiKey, apiSecret } = await tenant();
  let authorization = '';
  const guarded = all.filter(({ endpoint }) => endpoint.contract.access !== 'public');
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
