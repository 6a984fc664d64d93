import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { Exchange } from '../../infra/local/activity.ts';
import { createRecorder, limits, type RecorderUpdate } from '../../infra/local/console/recorder.ts';
import {
  isSecretName,
  redactedHeaders,
  redactedJson,
  redactedUrl,
} from '../../infra/local/console/redact.ts';
import type { Invocation, TableCall } from '../../infra/local/invocation.ts';
import type { Event } from '../../shared/events/envelope.ts';
import { eventKey } from '../../shared/events/keys.ts';
import { messageIdOf } from '../../shared/messaging/webhooks/signature.ts';
import { anEvent } from '../harness/an-event.ts';

const json = { 'content-type': 'application/json' };

function recorder() {
  const updates: RecorderUpdate[] = [];
  const { onActivity, ...recorded } = createRecorder((update) => void updates.push(update));
  let calls = 0;
  return {
    ...recorded,
    updates,
    exchange(given: Partial<Exchange> = {}) {
      onActivity({
        type: 'exchange',
        ...{ method: 'POST', target: '/leads', status: 201, startedAt: 1, milliseconds: 17 },
        ...{ requestHeaders: Object.entries(json).flat(), requestBody: Buffer.of() },
        ...{ responseHeaders: json, responseBody: Buffer.of() },
        ...given,
      });
    },
    invocation(functionName: string, given: Partial<Invocation>) {
      calls += 1;
      const empty = { event: {}, calls: [], requests: [], lines: [] };
      const times = { startedAt: calls, milliseconds: 5 };
      onActivity({ type: 'invocation', id: String(calls), functionName, ...times, ...empty, ...given });
    },
    message: (id: string) =>
      onActivity({ type: 'message', kind: 'mail', id, file: `mail/${id}.eml`, to: 'ann@example.com' }),
    messageById: recorded.message,
  };
}

const eventNumber = (id: number): Event =>
  anEvent({ id, subject: { type: 'lead', id, label: `Lead ${id}` } });

/** A recorded DynamoDB call that writes or reads the items of these events. */
const callFor = (action: 'put' | 'get', ...events: Event[]): TableCall => ({
  operation: action === 'put' ? 'TransactWriteItems' : 'BatchGetItem',
  ...{ after: 1, milliseconds: 2, units: 4 },
  items: events.map(({ accountId, id }) => ({ action, ...eventKey(accountId, id) })),
});
const request = (requestId: string) => ({ requestContext: { requestId } });
const streamOf = (...events: Event[]) => ({
  Records: events.map((event) => ({
    eventName: 'INSERT',
    dynamodb: {
      SequenceNumber: String(event.id),
      NewImage: marshall({ ...eventKey(event.accountId, event.id), type: 'event', ...event }),
    },
  })),
});
const batchOf = (receives: number, ...events: Event[]) => ({
  Records: events.map((event) => ({
    messageId: `message ${event.id}`,
    body: JSON.stringify(event),
    attributes: { SentTimestamp: '1000', ApproximateReceiveCount: String(receives) },
  })),
});

const endpoints = await loadEndpoints();

test('no endpoint of the API has a path of the console', () => {
  const paths = endpoints.map(({ endpoint }) => endpoint.contract.path);
  expect(paths.filter((path) => path === '/' || path.startsWith('/_local'))).toEqual([]);
});

/** Calls `found` with the name of each field that a schema redacts. */
function eachRedacted(schema: unknown, name: string, found: (name: string) => void): void {
  if (typeof schema !== 'object' || schema === null) return;
  if ('x-redacts' in schema) found(name);
  for (const [key, inner] of Object.entries(schema))
    if (key === 'properties')
      for (const [field, own] of Object.entries(inner as object)) eachRedacted(own, field, found);
    else eachRedacted(inner, name, found);
}

test('every value that a contract marks as sensitive or as a credential is redacted', () => {
  const names = new Set<string>();
  for (const { endpoint } of endpoints)
    for (const [part, schema] of Object.entries(endpoint.contract))
      eachRedacted(schema, part, (name) => names.add(name));
  expect(names.size).toBeGreaterThan(8);
  // In a link to a file, only the parameters of the signature are secret, not the whole `url`. A captured `body` contains no
  // secret values.
  expect([...names].filter((name) => !isSecretName(name)).sort()).toEqual(['body', 'url']);
  const signed =
    'https://files.example.com/a?X-Amz-Credential=c1&X-Amz-Signature=s1&X-Amz-Security-Token=t1&x=1';
  expect(JSON.parse(redactedJson(JSON.stringify({ url: signed })))).toEqual({
    url: 'https://files.example.com/a?X-Amz-Credential=REDACTED&X-Amz-Signature=REDACTED&X-Amz-Security-Token=REDACTED&x=1',
  });
});

test('the headers of a request are shown without its credentials', () => {
  const sent = ['authorization', 'x-api-key', 'x-api-secret', 'x-step-up-token', 'x-account-id'].map(
    (name) => [name, 'a.b.c'] as const,
  );
  const shown = redactedHeaders(sent).filter(([, value]) => value !== 'REDACTED');
  expect(shown).toEqual([['x-account-id', 'a.b.c']]);
});

test('a secret value is redacted at any depth of a body', () => {
  const secret = 'classified';
  const secretField = fc.tuple(
    fc.constantFrom(
      'password',
      'newPassword',
      'apiSecret',
      'token',
      'ssn',
      'bankAccount',
      'appKey',
      'secret',
    ),
    fc.constantFrom<unknown>(secret, [secret], { from: secret, to: secret }),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      secretField.map(([name, value]) => ({ [name]: value })),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'data', 'principals'), tie('tree'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(tree, (body) => {
      expect(redactedJson(JSON.stringify(body))).not.toContain(secret);
    }),
  );
});

test('a recorded request contains no secrets and no bodies of unknown formats', () => {
  const { exchange, ...recorded } = recorder();
  exchange({
    target: '/applications/app_1?appKey=classified&%61ppKey=classified&page=2',
    requestHeaders: [
      'Authorization',
      'Bearer classified',
      'X-Api-Secret',
      'classified',
      'Content-Type',
      'application/json',
    ],
    requestBody: Buffer.from('{"email":"ann@example.com","password":"classified"}'),
    responseHeaders: { ...json, 'set-cookie': 'classified' },
    responseBody: Buffer.from('{"token":"classified","principals":[{"ssn":"classified"}],"id":7}'),
  });
  exchange({ requestBody: Buffer.from('{"password":"classified"') });
  exchange({ requestHeaders: ['content-type', 'text/plain'], requestBody: Buffer.from('classified') });
  const all = [1, 2, 3].map((id) => recorded.request(id)?.request);
  expect(JSON.stringify([all, recorded.requests(), recorded.updates])).not.toContain('classified');
  expect(all[0]).toMatchObject({
    target: '/applications/app_1?appKey=REDACTED&%61ppKey=REDACTED&page=2',
    requestBody: JSON.stringify({ email: 'ann@example.com', password: 'REDACTED' }, null, 2),
    responseBody: JSON.stringify({ token: 'REDACTED', principals: [{ ssn: 'REDACTED' }], id: 7 }, null, 2),
  });
  expect(all[2]?.requestBody).toBe('10 bytes of text/plain');
  expect(redactedUrl('https://ann:classified@hooks.example.com/a?b=1')).toBe(
    'https://ann:REDACTED@hooks.example.com/a?b=1',
  );
});

test.each(['before', 'after'])(
  'an event that is relayed %s the response is linked to its request',
  (order) => {
    const { exchange, invocation, ...recorded } = recorder();
    const event = eventNumber(7);
    const line = JSON.stringify({ requestId: 'one', route: 'POST /leads', principal: 'key:7' });
    const relay = () => invocation('events-relay', { event: streamOf(event) });
    invocation('leads-create-lead', { event: request('one'), calls: [callFor('put', event)], lines: [line] });
    if (order === 'before') relay();
    exchange({ requestId: 'one' });
    if (order === 'after') relay();
    expect(recorded.requests()).toEqual([
      expect.objectContaining({ id: 1, caller: 'key:7', events: ['lead_created'] }),
    ]);
    expect(recorded.request(1)).toMatchObject({
      request: {
        invocation: { functionName: 'leads-create-lead', calls: [{ operation: 'TransactWriteItems' }] },
      },
      events: [{ id: 7, label: 'Lead 7', request: 1 }],
    });
    expect(recorded.otherEvents()).toEqual([]);
  },
);

test('a failed write of an event does not link the event to the request', () => {
  const { exchange, invocation, ...recorded } = recorder();
  const event = eventNumber(7);
  const failed = { ...callFor('put', event), error: 'TransactionCanceledException' };
  invocation('leads-create-lead', { event: request('one'), calls: [failed] });
  exchange({ requestId: 'one' });
  invocation('events-relay', { event: streamOf(event) });
  expect(recorded.otherEvents()).toEqual([expect.objectContaining({ id: 7 })]);
});

test('the timeline of an event has the relay, the consumers with their retries, and the webhook attempts for this event', () => {
  const { invocation, ...recorded } = recorder();
  const [one, other] = [eventNumber(7), eventNumber(8)];
  invocation('events-relay', { event: streamOf(one, other) });
  const failures = { batchItemFailures: [{ itemIdentifier: 'message 7' }] };
  invocation('events-audit', { event: batchOf(1, one, other), result: failures });
  invocation('events-audit', { event: batchOf(2, one), result: { batchItemFailures: [] } });
  invocation('events-webhooks', { event: batchOf(1, one), error: 'timed out' });
  const attempt = {
    method: 'POST',
    url: 'http://127.0.0.1:9/hook?token=classified',
    milliseconds: 3,
    status: 200,
  };
  const requests = [one, other].map((event) => ({ ...attempt, messageId: messageIdOf(event) }));
  invocation('events-deliveries', { event: {}, calls: [callFor('get', one, other)], requests });
  const stepsOf = ({ accountId, id }: Event) =>
    recorded
      .event(accountId, id)
      ?.steps.map(({ functionName, failed, receives, batch }) => ({ functionName, failed, receives, batch }));
  expect(stepsOf(one)).toEqual([
    { functionName: 'events-relay', failed: false, batch: 2 },
    { functionName: 'events-audit', failed: true, receives: 1, batch: 2 },
    { functionName: 'events-audit', failed: false, receives: 2, batch: 1 },
    { functionName: 'events-webhooks', failed: true, receives: 1, batch: 1 },
    { functionName: 'events-deliveries', failed: false, batch: 2 },
  ]);
  expect(stepsOf(other)?.map(({ failed }) => failed)).toEqual([false, false, false]);
  expect(recorded.event(one.accountId, 7)?.steps.at(-1)?.attempts).toEqual([
    { ...requests[0], url: 'http://127.0.0.1:9/hook?token=REDACTED' },
  ]);
});

test('if a record of a stream fails, this record and all later records of the batch are shown as failed', () => {
  const { invocation, ...recorded } = recorder();
  const events = [1, 2, 3].map(eventNumber);
  const result = { batchItemFailures: [{ itemIdentifier: '2' }] };
  invocation('events-relay', { event: streamOf(...events), result });
  expect(events.map(({ accountId, id }) => recorded.event(accountId, id)?.steps[0]?.failed)).toEqual([
    false,
    true,
    true,
  ]);
});

test('a sent message is found by the id that the mailbox returned', () => {
  const { message, messageById, updates } = recorder();
  message('a');
  expect(messageById('a')).toMatchObject({ kind: 'mail', to: 'ann@example.com' });
  expect(updates).toEqual([{ message: expect.objectContaining({ id: 'a' }) }]);
});

test('the recorder keeps only the newest records, up to a maximum number and a maximum size', () => {
  const { exchange, invocation, message, ...recorded } = recorder();
  const most = Object.values(limits).reduce<number>(
    (sum, limit) => sum + (typeof limit === 'number' ? 0 : limit.bytes),
    0,
  );
  const body = Buffer.from(JSON.stringify('x'.repeat(100_000)));
  const calls = (id: number) => [
    callFor('put', ...Array.from({ length: 50 }, (_, n) => eventNumber(id * 100 + n))),
  ];
  for (let id = 1; id <= 3_000; id++) {
    invocation('leads-create-lead', { event: request(`${id}`), calls: calls(id), lines: ['x'.repeat(1000)] });
    if (id % 2 === 0) exchange({ requestId: `${id}`, requestBody: body, responseBody: body });
    invocation('events-relay', { event: streamOf(eventNumber(id)) });
    invocation('events-audit', { event: batchOf(1, eventNumber(id)), calls: calls(id) });
    message(`${id}`);
  }
  const kept = recorded.requests();
  expect(kept[0]?.id).toBe(1_500);
  expect(kept.length).toBeGreaterThan(20);
  expect(kept.length).toBeLessThan(200);
  expect(recorded.event('acc_1', 3_000)).toBeDefined();
  expect(recorded.event('acc_1', 1)).toBeUndefined();
  expect(recorded.bytes()).toBeLessThanOrEqual(most);
  for (let id = 0; id < 1_500; id++) exchange();
  expect(recorded.requests().length).toBe(limits.requests.count);
});

const longHeader = 'x'.repeat(100_000);
test.each<[string, Partial<Exchange>]>([
  ['requests', { requestHeaders: ['cookie', longHeader] }],
  ['responses', { responseHeaders: { link: [longHeader] } }],
])('the memory limit counts the headers of %s', (_, given) => {
  const { exchange, ...recorded } = recorder();
  exchange();
  const before = recorded.bytes();
  exchange(given);
  expect(recorded.bytes() - before).toBeGreaterThan(200_000);
  for (let n = 0; n < 300; n++) exchange(given);
  expect(recorded.requests().length).toBeLessThan(limits.requests.bytes / 200_000);
});
