import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import startBodyCapture from '../functions/accounts/start-body-capture.ts';
import createApiKey from '../functions/apikeys/create-api-key.ts';
import assessRisk from '../functions/applications/assess-risk.ts';
import createApplication from '../functions/applications/create-application.ts';
import decideApplication from '../functions/applications/decide-application.ts';
import deleteApplication from '../functions/applications/delete-application.ts';
import listApplications from '../functions/applications/list-applications.ts';
import listCollisions from '../functions/applications/list-collisions.ts';
import readApplication from '../functions/applications/read-application.ts';
import readReadiness from '../functions/applications/read-readiness.ts';
import rotateAppKey from '../functions/applications/rotate-app-key.ts';
import submitApplication from '../functions/applications/submit-application.ts';
import updateApplication from '../functions/applications/update-application.ts';
import renewRecoveryCodes from '../functions/auth/renew-recovery-codes.ts';
import stepUp from '../functions/auth/step-up.ts';
import verifyLogin from '../functions/auth/verify-login.ts';
import listEvents from '../functions/events/list-events.ts';
import revealRequestBody from '../functions/events/reveal-request-body.ts';
import revealResponseBody from '../functions/events/reveal-response-body.ts';
import convertLead from '../functions/leads/convert-lead.ts';
import createLead from '../functions/leads/create-lead.ts';
import createMerchant from '../functions/merchants/create-merchant.ts';
import deleteMerchant from '../functions/merchants/delete-merchant.ts';
import listMerchants from '../functions/merchants/list-merchants.ts';
import readMerchant from '../functions/merchants/read-merchant.ts';
import updateMerchant from '../functions/merchants/update-merchant.ts';
import createScimUser from '../functions/scim/create-scim-user.ts';
import searchRecords from '../functions/search/search-records.ts';
import createSsoConnection from '../functions/sso-connections/create-sso-connection.ts';
import updateSsoConnection from '../functions/sso-connections/update-sso-connection.ts';
import updateUser from '../functions/users/update-user.ts';
import { exportAccount } from '../infra/operations/export-account.ts';
import { freshMilliseconds } from '../shared/security/proofs.ts';
import type { Item } from '../shared/table/item.ts';
import { applicant } from './harness/applicant.ts';
import { logged } from './harness/call.ts';
import { clock } from './harness/clock.ts';
import { drain, relay, wholeStream } from './harness/drain.ts';
import { addFactor, challengeOf, codeOf } from './harness/factors.ts';
import { canaries, filledApplication } from './harness/filled-application.ts';
import { filledMerchant, merchantCanaries } from './harness/filled-merchant.ts';
import { member, provesAgain } from './harness/member.ts';
import { scanTable } from './harness/raw-table.ts';
import { client, tenant } from './harness/tenant.ts';
import { watchWire } from './harness/wire.ts';

/** Sensitive values of all five kinds. */
const values = [...Object.values(canaries), ...Object.values(merchantCanaries)];
const encodingsOf = (value: string): string[] =>
  [value, value.replaceAll('-', '')].flatMap((text) => [
    text,
    Buffer.from(text).toString('base64url'),
    Buffer.from(text).toString('hex'),
  ]);
const encodings = values.flatMap(encodingsOf);
/** The text of a search is sent to DynamoDB, but never stored. */
const isSearch = (input: object) =>
  'KeyConditionExpression' in input && JSON.stringify(input).includes('#SEARCH#');

/** Data that must not contain a sensitive value, by source. */
const places: Record<string, unknown> = {};
/** The responses that reveal values. */
const shown: unknown[] = [];
/** All application keys. */
const appKeys = new Set<string>();

beforeAll(async () => {
  const acme = await tenant();
  const { admin } = acme;
  /** All requests of functions to AWS, and the responses. */
  const wire: unknown[] = [];
  const stop = watchWire({
    done: ({ invocation, input, output }) => invocation && wire.push(isSearch(input) ? {} : input, output),
  });
  logged.length = 0;
  const answers: unknown[] = [];
  const send = async (answer: Promise<unknown>) => void answers.push(await answer);
  /** Sends a request twice with one Idempotency-Key. The second response is replayed. */
  const twice = async <T>(send: (sent: { headers: Record<string, string> }) => Promise<T>): Promise<T> => {
    const sent = { headers: { 'idempotency-key': randomUUID() } };
    const [first, again] = [await send(sent), await send(sent)];
    answers.push(first, again);
    return first;
  };
  const keyOf = ({ system }: { system: { appKey?: string } }): string => {
    const { appKey = '' } = system;
    expect(appKey).toMatch(/^mo_ak_/);
    appKeys.add(appKey);
    return appKey;
  };

  // Applications with generated ids and with ids from the client, changed by staff and by applicants.
  const made = await twice((sent) => admin.ok(createApplication, { body: filledApplication, ...sent }));
  const by = { params: { applicationId: made.id } };
  keyOf(made);
  const own = { params: { applicationId: `own-${randomUUID()}` }, query: { createIfNotExists: true } };
  const named = await admin.ok(updateApplication, { ...own, body: filledApplication });
  keyOf(named);
  shown.push(named);
  shown.push(await admin.ok(readApplication, by));
  const merchant = applicant({
    appKey: keyOf(await twice((sent) => admin.ok(rotateAppKey, { ...by, ...sent }))),
    acctId: acme.accountId,
  });
  const { system: _, repcode: __, ...form } = filledApplication;
  await send(merchant.ok(updateApplication, { ...by, body: form }));
  await send(merchant.ok(readApplication, by));
  await send(merchant.ok(readReadiness, by));
  await send(admin.ok(updateApplication, { ...by, body: filledApplication, query: { reveal: false } }));
  await send(admin.ok(readApplication, { ...by, query: { reveal: false, includeFullResponse: true } }));
  await send(admin.call(deleteApplication, own));

  // Errors must not contain the sent values.
  const owners = filledApplication.businessOwners;
  const wrong = { ...owners[0], dateOfBirth: `${canaries.birthDate}${canaries.ssn.repeat(9)}` };
  await send(admin.call(createApplication, { body: { businessOwners: [wrong] } }));
  await send(admin.call(updateApplication, { ...by, body: { businessOwners: [...owners, ...owners] } }));
  await send(admin.call(updateApplication, { ...by, rawBody: '{"basics":{"dbaTaxId":987612345}}' }));

  // Converts a lead. The appKey of the new application is encrypted.
  const lead = await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  const converted = { params: { leadId: lead.id } };
  const { application } = await twice((sent) => admin.ok(convertLead, { ...converted, ...sent }));
  const ofLead = { params: { applicationId: application.id } };
  const fromLead = await admin.ok(updateApplication, { ...ofLead, body: filledApplication });
  shown.push(fromLead);
  keyOf(fromLead);

  // Rejected changes, a previewed approval and an approval.
  await twice((sent) => merchant.ok(submitApplication, { ...by, ...sent }));
  await send(admin.call(updateApplication, { ...by, body: filledApplication }));
  await send(admin.ok(assessRisk, by));
  await send(admin.ok(listCollisions, by));
  const approve = { ...by, body: { decision: 'approved' as const } };
  await send(admin.dryRun(decideApplication, approve));
  const approved = await twice((sent) => admin.ok(decideApplication, { ...approve, ...sent }));
  const ofApplication = { params: { merchantId: approved.admin?.merchantId ?? 0 } };
  shown.push(await admin.ok(readMerchant, { ...ofApplication, query: { reveal: true } }));
  await send(admin.ok(readMerchant, ofApplication));

  // A merchant created without an application.
  const direct = await twice((sent) => admin.ok(createMerchant, { body: filledMerchant, ...sent }));
  const ofDirect = { params: { merchantId: direct.id } };
  shown.push(await admin.ok(readMerchant, { ...ofDirect, query: { reveal: true } }));
  const { principals, banking } = filledMerchant;
  await send(
    admin.ok(updateMerchant, {
      ...ofDirect,
      body: {
        principals: [{ ...principals[0], ssn: canaries.ssn, dateOfBirth: canaries.birthDate }],
        banking: { accountNumber: canaries.account },
      },
    }),
  );
  await send(admin.ok(updateMerchant, { ...ofDirect, body: { principals, banking } }));
  await send(
    admin.call(updateMerchant, { ...ofDirect, body: { principals: [...principals, ...principals] } }),
  );
  await send(admin.ok(readMerchant, ofDirect));
  await send(admin.ok(deleteMerchant, ofApplication));

  for (const search of ['', ...values]) {
    const query = search === '' ? {} : { search };
    await send(admin.ok(listApplications, { query }));
    await send(admin.ok(listMerchants, { query }));
  }

  await drain();
  // The relay cannot read these records as events, so they become dead letters unchanged.
  const stream = await wholeStream();
  const records = stream.filter(({ dynamodb }) => dynamodb.NewImage?.sk?.S === 'RECORD');
  await relay({ Records: records } as Parameters<typeof relay>[0]);
  stop();

  const events = await admin.ok(listEvents, { query: { pageSize: 100 } });
  const { auditLog = [] } = await admin.ok(readApplication, { ...by, query: { reveal: false } });
  expect(auditLog.length).toBeGreaterThan(4);
  const items = await scanTable();
  expect(items.filter(({ type }) => type === 'idempotency').length).toBeGreaterThan(5);
  expect(wire.length).toBeGreaterThan(100);
  expect(JSON.stringify(wire)).toContain('SequenceNumber');
  Object.assign(places, { items, stream, wire, answers, events, auditLog, logged });
});

describe('a sensitive value of any of the five kinds', () => {
  test.each(values)('a sensitive value is contained in responses that reveal values: %s', (value) => {
    expect(JSON.stringify(shown)).toContain(value);
  });

  test.each(['items', 'stream', 'wire', 'answers', 'events', 'auditLog', 'logged'])(
    'a sensitive value is never stored, sent or logged in plain text: %s',
    (place) => {
      const text = JSON.stringify(places[place]);
      expect(text.length).toBeGreaterThan(100);
      expect(encodings.filter((spelling) => text.includes(spelling))).toEqual([]);
    },
  );

  test.each(['answers', 'events', 'auditLog', 'logged'])(
    'an encrypted value is never shown or logged: %s',
    (place) => {
      expect(JSON.stringify(places[place])).not.toMatch(/"jwe"|eyJ[\w-]+\.\.[\w-]+\./);
    },
  );

  test('an encrypted value is stored only in the record, not in summaries, events or index rows', () => {
    const encrypted = (places.items as Item[]).filter((item) =>
      /"jwe"|eyJ[\w-]+\.\./.test(JSON.stringify(item)),
    );
    expect(new Set(encrypted.map(({ pk, sk }) => `${pk.split('#')[2]} ${sk}`))).toEqual(
      // The item DATAKEYS contains an encrypted index key.
      new Set(['APPLICATION RECORD', 'MERCHANT RECORD', 'DATAKEYS DATAKEYS']),
    );
  });
});

test.each(['items', 'stream', 'events', 'auditLog', 'logged'])(
  'an application key never appears in plain text: %s',
  (place) => {
    expect(appKeys.size).toBe(4);
    const text = JSON.stringify(places[place]);
    for (const appKey of appKeys)
      for (const part of [appKey, appKey.slice('mo_ak_'.length), appKey.slice(0, 20)])
        expect(text).not.toContain(part);
  },
);

describe('a secret of the identity of users', () => {
  const kinds = [
    'the secret of an authenticator app',
    'a recovery code',
    'a used recovery code',
    'a step-up token',
    'the secret of a single sign-on connection',
    'its replaced secret',
    'a provisioning token',
  ] as const;
  const secrets = new Map<(typeof kinds)[number], string>();
  const sources: Record<string, unknown> = {};

  beforeAll(async () => {
    const acme = await tenant();
    const { accountId } = acme;
    const wire: unknown[] = [];
    const stop = watchWire({
      done: ({ invocation, input, output }) => invocation && wire.push(isSearch(input) ? {} : input, output),
    });
    logged.length = 0;
    await acme.admin.ok(startBodyCapture, { params: { id: accountId }, body: { days: 14 } });
    const administrator = await member(acme);
    const { user, client: ada } = administrator;
    await acme.admin.ok(updateUser, { params: { email: user.email }, body: { accountAdmin: true } });

    const { secret } = await addFactor(ada);
    const { recoveryCodes } = await ada.ok(renewRecoveryCodes, {});
    const [used = '', code = ''] = recoveryCodes;
    const challenge = await challengeOf(administrator);
    await client({}).ok(verifyLogin, { body: { challenge, code: used } });

    const merchant = await ada.ok(createMerchant, { body: filledMerchant });
    const reveal = { params: { merchantId: merchant.id }, query: { reveal: true } };
    clock.advance(freshMilliseconds);
    const subject = { accountId, id: String(merchant.id) };
    const { stepUpToken = '' } = await ada.ok(stepUp, {
      body: { purpose: 'reveal', subject, code: codeOf(secret) },
    });
    await ada.ok(readMerchant, { ...reveal, headers: { 'x-step-up-token': stepUpToken } });
    await provesAgain(ada);

    const [clientSecret, replaced] = [`client-${randomUUID()}`, `client-${randomUUID()}`];
    const { id } = await ada.ok(createSsoConnection, {
      body: {
        issuer: 'https://login.example.com',
        clientId: 'captured-client',
        authentication: 'client_secret_basic',
        clientSecret: replaced,
        domains: [],
        returnUrls: ['https://portal.example.com/signed-in'],
      },
    });
    await ada.ok(updateSsoConnection, { params: { id }, body: { clientSecret } });
    const { provisioningToken = '' } = await ada.ok(createApiKey, {
      body: { description: 'Captured key', flatPermissionsList: ['provisionUsers'] },
    });
    const provider = client({ authorization: `Bearer ${provisioningToken}` });
    await provider.ok(createScimUser, { body: { userName: 'grace@provisioned.test' } });
    const planted = [secret, code, used, stepUpToken, clientSecret, replaced, provisioningToken];
    kinds.forEach((kind, n) => void secrets.set(kind, planted[n] ?? ''));

    for (const q of planted) await ada.ok(searchRecords, { query: { q: q.slice(0, 200) } });
    await drain();
    stop();

    const { data: events } = await ada.ok(listEvents, { query: { pageSize: 100 } });
    const bodies: string[] = [];
    const reason = 'Support asked for this body.';
    for (const event of events) {
      const sent = { params: { id: event.id }, body: { reason } };
      if (event.hasRequestBody) bodies.push((await ada.ok(revealRequestBody, sent)).body);
      if (event.hasResponseBody) bodies.push((await ada.ok(revealResponseBody, sent)).body);
    }
    for (const text of ['captured-client', 'Captured key', 'REDACTED']) expect(bodies.join()).toContain(text);
    const exported: string[] = [];
    for await (const line of exportAccount(accountId, { reveal: true })) exported.push(line);
    const [items, stream] = [await scanTable(), await wholeStream()];
    Object.assign(sources, { items, stream, wire, events, bodies, exported, logged });
  });
  afterAll(clock.reset);

  test.each(['items', 'stream', 'wire', 'events', 'bodies', 'exported', 'logged'])(
    'is contained in no form in %s',
    (source) => {
      const text = JSON.stringify(sources[source]);
      expect(text.length).toBeGreaterThan(100);
      const found = kinds.filter((kind) => {
        const value = secrets.get(kind) ?? '';
        expect(value.length, kind).toBeGreaterThan(10);
        return encodingsOf(value).some((spelling) => text.includes(spelling));
      });
      expect(found).toEqual([]);
    },
  );
});
