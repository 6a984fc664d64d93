import { expect, test } from 'vitest';
import startBodyCapture from '../../functions/accounts/start-body-capture.ts';
import listEvents from '../../functions/events/list-events.ts';
import revealRequestBody from '../../functions/events/reveal-request-body.ts';
import revealResponseBody from '../../functions/events/reveal-response-body.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { cleanBody } from '../../shared/body-capture/clean-body.ts';
import { capturesBodies, changes } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { Shape } from '../../shared/endpoints/shape.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { validatorsOf } from '../harness/compiled.ts';
import { capturedRoutesEvery } from '../harness/heavy.ts';
import { scanTable } from '../harness/raw-table.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { happyPath } from '../routes/happy-paths.ts';
import { planted, planting, sensitiveCanaries } from '../routes/plant-canaries.ts';
import { nameOf } from '../routes/records.ts';

const all = await loadEndpoints();
const changing = all.filter(({ endpoint }) => changes(endpoint.contract));
const capturing = changing.filter(({ endpoint }) => capturesBodies(endpoint.contract));

const secretName = /^(password|newPassword|currentPassword|secret|apiSecret|token|appKey|ssn)$/;

/** The fields of a shape that must be removed: their names suggest a secret, or their schemas mark them. */
function secretFields(shape: Shape): [string, Shape][] {
  if (typeof shape === 'string') return [];
  if ('items' in shape) return secretFields(shape.items);
  if ('values' in shape) return secretFields(shape.values);
  return Object.entries(shape.fields).flatMap(([name, inner]) =>
    secretName.test(name) || inner === 'sensitive' || inner === 'credential'
      ? [[name, inner] as [string, Shape]]
      : secretFields(inner),
  );
}

/** Removing values is proved with every route that has values to remove, and with some of the others. */
const called = capturing.filter(({ endpoint }, n) => {
  const { sent = 'value', response } = validatorsOf(endpoint.contract);
  return n % capturedRoutesEvery === 0 || secretFields(sent).length > 0 || secretFields(response).length > 0;
});

/** A text in the bodies, which is in no name of a field, and must not be stored in plain text in captured bodies. */
const reason = 'Support asked for this body.';

/** The values in a response that the API shows only once, or only to this caller. */
function credentialsIn(value: unknown, name = ''): string[] {
  if (typeof value === 'string')
    return /^(secret|apiSecret|appKey|token|password)$/i.test(name) && value !== 'REDACTED' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([inner, of]) => credentialsIn(of, inner));
}

const start = ({ admin, accountId }: Tenant) =>
  admin.ok(startBodyCapture, { params: { id: accountId }, body: { days: 14 } });

test('with capture on, changes succeed, and no captured body contains a sensitive value or a credential', async () => {
  const plain = await tenant();
  const acme = planting(plain);
  /** Passwords, secrets and tokens in requests and responses. */
  const secrets = new Set<string>();
  const failed: string[] = [];
  for (const { endpoint } of called) {
    const sent = planted(endpoint, await happyPath(endpoint, acme));
    // A previous request may have stopped the capture.
    await start(plain);
    const { status, body } = await call(endpoint as Endpoint, sent as object);
    if (status >= 300) failed.push(`${nameOf(endpoint.contract)} ${status} ${JSON.stringify(body)}`);
    for (const value of [...credentialsIn((sent as { body?: unknown }).body), ...credentialsIn(body)])
      secrets.add(value);
  }
  expect(failed).toEqual([]);
  expect(secrets.size).toBeGreaterThan(5);

  const authorization = await signIn({ email: plain.adminEmail, password: plain.adminPassword });
  const admin = client({ 'x-account-id': plain.accountId, authorization });
  const events: LoggedEvent[] = [];
  for (let page = 1; ; page++) {
    const { data } = await admin.ok(listEvents, { query: { page, pageSize: 100 } });
    events.push(...(data as LoggedEvent[]));
    if (data.length < 100) break;
  }
  const shown = new Map<string, string>();
  const seen = new Set<string>();
  for (const [n, event] of events.entries()) {
    const route = `${event.request.method} ${event.request.path}`;
    // Several events of one request have the same bodies.
    if (seen.has(`${route} ${event.occurredAt}`)) continue;
    seen.add(`${route} ${event.occurredAt}`);
    // The calls of a minute are limited.
    if (n % 200 === 0) clock.advance(60_000);
    const sent = { params: { id: event.id }, body: { reason } };
    if (event.hasRequestBody) shown.set(`${n} ${route} sent`, (await admin.ok(revealRequestBody, sent)).body);
    if (event.hasResponseBody) shown.set(`${n} ${route}`, (await admin.ok(revealResponseBody, sent)).body);
  }
  expect(shown.size).toBeGreaterThan(called.length);
  const hidden = [
    ...sensitiveCanaries,
    ...sensitiveCanaries.map((value) => value.replaceAll('-', '')),
    ...secrets,
  ];
  const leaks = [...shown].flatMap(([route, body]) =>
    hidden.filter((value) => body.includes(value)).map((value) => `${route}: ${value}`),
  );
  expect(leaks).toEqual([]);
  // The signatures of URLs for uploads are credentials.
  for (const [route, body] of shown) expect(body, route).not.toContain('X-Amz-Signature');

  const stored = (await scanTable()).filter(({ type }) => type === 'bodies' || type === 'body-key');
  const text = JSON.stringify(stored);
  expect(stored.length).toBeGreaterThan(called.length / 2);
  for (const value of [
    ...hidden.filter(({ length }) => length >= 8),
    reason,
    'firstName',
    'Harbor Street Coffee',
  ])
    expect(text).not.toContain(value);
});

test('each field whose name suggests a secret, or whose schema marks it as sensitive, is removed', () => {
  const names = new Set<string>();
  for (const { endpoint } of capturing) {
    const { sent = 'value', response } = validatorsOf(endpoint.contract);
    for (const [name, shape] of [...secretFields(sent), ...secretFields(response)]) {
      names.add(name);
      const clean = cleanBody({ [name]: 'a canary' }, { fields: { [name]: shape } });
      expect(clean, nameOf(endpoint.contract)).toEqual({ [name]: 'REDACTED' });
    }
  }
  expect([...names]).toEqual(
    expect.arrayContaining(['password', 'secret', 'apiSecret', 'token', 'appKey', 'ssn', 'dbaTaxId', 'url']),
  );
});

test('bodies of every endpoint that changes records of an account are captured, and of no other endpoint', () => {
  for (const { endpoint } of all) {
    const { sent } = validatorsOf(endpoint.contract);
    const captures = capturing.some((one) => one.endpoint === endpoint);
    expect(sent !== undefined, nameOf(endpoint.contract)).toBe(
      captures && endpoint.contract.body !== undefined,
    );
  }
  const others = changing.filter((one) => !capturing.includes(one)).map(({ endpoint }) => endpoint.contract);
  for (const { access, path } of others) expect(['public', 'session'], path).toContain(access);
});
