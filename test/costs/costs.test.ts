import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import listLeads from '../../functions/leads/list-leads.ts';
import { loadEndpoints, root } from '../../infra/build/endpoints.ts';
import { changesWithEvents } from '../../infra/operations/compare-surveys.ts';
import { kindOfKey } from '../../infra/operations/survey-table.ts';
import { eventPartition } from '../../shared/events/keys.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { client, signIn, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { nameOf } from '../routes/records.ts';
import { measureEveryEndpoint } from './every-endpoint.ts';
import { measure } from './meter.ts';
import { comparedWith, readTable } from './table.ts';
import { currentCostPage } from './write-cost-page.ts';

const all = await loadEndpoints();
const costs = await measureEveryEndpoint();
const written = readFileSync(join(root, 'test', 'costs.md'), 'utf8');
const costOf = (route: string) => costs.calls.find(({ of }) => of === route);

describe('the table of costs', () => {
  test('no call or event costs more than its line in test/costs.md', () => {
    expect(comparedWith(written, costs)).toEqual([]);
  });

  test('the cost page has a price for every call of the table', async () => {
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

  test('a call that costs more than its line, or has no line, and a line without a call are reported', () => {
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

/** Endpoints that need more requests in sequence than promised, and the reason. */
const longer: Record<string, [more: number, why: string]> = {
  'GET /applications/{applicationId}': [1, 'that sensitive values are shown is on record before they are'],
  'POST /applications/{applicationId}/documents/{documentId}/complete': [
    1,
    'a file is kept before a document says that it is there',
  ],
  'POST /merchants/{merchantId}/documents/{documentId}/complete': [1, 'the same'],
  'POST /tickets/{ticketId}/documents/{documentId}/complete': [1, 'the same'],
  'GET /applications/{applicationId}/documents/{documentId}/link': [
    1,
    'that a file was asked for is on record before its address is shown',
  ],
  'GET /merchants/{merchantId}/documents/{documentId}/link': [1, 'the same'],
  'GET /tickets/{ticketId}/documents/{documentId}/link': [1, 'the same'],
  'GET /apikeys': [1, 'the last use of each key is found by the key'],
  'GET /integrations/partner/ticket-type-mappings': [1, 'the types are named by the mappings'],
  'DELETE /integrations/partner/ticket-type-mappings/{id}': [1, 'the same'],
  'GET /lead-rotations': [1, 'a position counts over members whom the rotation names'],
  'GET /lead-rotations/{id}': [1, 'the same'],
  'PATCH /lead-rotations/{id}': [1, 'the same'],
  'DELETE /lead-rotations/{id}': [1, 'the same'],
  'POST /lead-rotations': [1, 'a member named by email has its id looked up'],
  'GET /ticket-rotations': [1, 'a position counts over members whom the rotation names'],
  'GET /ticket-rotations/{id}': [1, 'the same'],
  'PATCH /ticket-rotations/{id}': [1, 'the same'],
  'DELETE /ticket-rotations/{id}': [1, 'the same'],
  'POST /ticket-rotations/{id}/reset': [1, 'the same'],
  'POST /ticket-rotations': [1, 'a member named by email has its id looked up'],
  'GET /events/{id}/proof': [1, 'a seal leads to what it was made of'],
  'GET /events/{id}/explain': [2, 'who asks takes authentication, and its rules lead to what is decided'],
  'GET /notifications': [2, 'whose inbox it is takes authentication, and its mark leads to what is unread'],
  'PATCH /notifications/{id}': [2, 'whose it is takes authentication, and its arrival leads to its place'],
  'POST /notifications/mark-all-read': [
    1,
    'whose inbox it is takes authentication, and its counts lead to the write',
  ],
  'POST /tickets/bulk/{bulkId}/undo': [1, 'what the bulk did leads to its tickets'],
  'POST /tickets': [1, 'its number is taken once nothing can refuse it any more'],
  'GET /applications/{applicationId}/collisions': [1, 'its values lead to the other records'],
  'POST /applications/{applicationId}/risk-assessment': [1, 'the same'],
  'POST /leads/{leadId}/assign': [1, 'an assignee named by email has its id looked up'],
  'GET /users/{email}': [1, 'an email leads to the id of a user'],
  'DELETE /users/{email}': [1, 'the same'],
  'PATCH /users/{email}': [1, 'the same'],
  'PUT /users/{email}/password': [1, 'the same'],
  'PUT /users/{email}/permissions': [1, 'the same'],
  'PUT /users/{email}/roles': [1, 'the same'],
  'GET /users/{email}/notification-preferences': [1, 'the same'],
  'PUT /users/{email}/notification-preferences': [1, 'the same'],
  'POST /users/{email}/accounts': [1, 'the same'],
  'DELETE /users/{email}/accounts/{accountId}': [1, 'the same'],
};

describe('round trips in sequence, by session token', () => {
  const routes = all
    .map(({ endpoint }) => endpoint.contract)
    .filter(({ access = 'account' }) => access === 'account' || access === 'home');
  const promised = (method: string) => (method === 'GET' ? 1 : 2);

  test.each(routes)(
    '$method $path takes, by session token, one round trip to read and two to change',
    (contract) => {
      const name = nameOf(contract);
      const [more = 0] = longer[name] ?? [];
      expect(costOf(name)?.sequence).toBe(promised(contract.method) + more);
    },
  );

  test('a lead that a rotation assigns takes four round trips in sequence', () => {
    expect(costOf('POST /leads, by rotation')?.sequence).toBe(4);
  });

  test('a ticket that a rotation assigns takes four round trips in sequence', () => {
    expect(costOf('POST /tickets, by rotation')?.sequence).toBe(4);
  });

  test('a list takes one round trip after its session was verified on this instance, and two before', async () => {
    const { accountId, apiKey, apiSecret } = await tenant();
    const authorization = await signIn({ apiKey, apiSecret });
    const principal = client({ authorization, 'x-account-id': accountId });
    const first = await measure(() => principal.ok(listLeads));
    const second = await measure(() => principal.ok(listLeads));
    expect(first.sequence).toBe(2);
    expect(second.sequence).toBe(1);
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

test('records that a restore test compares are written in one transaction with an event of their account', () => {
  const without = costs.exchanges
    .filter(({ status, operation }) => status === 200 && /Write|Put|Update|Delete/.test(operation))
    // It removes the children of deleted records minutes after the event of the deletion.
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

test('no request of a successful call is in progress after its response', () => {
  expect(costs.pending).toEqual([]);
});

test('every endpoint waits for a slow counter before it responds, also with an error', async () => {
  const { accountId, apiKey, apiSecret } = await tenant();
  let authorization = '';
  const guarded = all.filter(({ endpoint }) => endpoint.contract.access !== 'public');
  for (const [n, { endpoint }] of guarded.entries()) {
    // A session lasts for twelve of these hours.
    if (n % 10 === 0) authorization = await signIn({ apiKey, apiSecret });
    const headers = { authorization, 'x-account-id': accountId };
    // In a new minute, and with a key unused for an hour, so that every side write happens.
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
