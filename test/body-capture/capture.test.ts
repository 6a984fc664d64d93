import { randomUUID } from 'node:crypto';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, test } from 'vitest';
import readAccount from '../../functions/accounts/read-account.ts';
import startBodyCapture from '../../functions/accounts/start-body-capture.ts';
import stopBodyCapture from '../../functions/accounts/stop-body-capture.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import createApplication from '../../functions/applications/create-application.ts';
import listEvents from '../../functions/events/list-events.ts';
import proveEvent from '../../functions/events/prove-event.ts';
import revealRequestBody from '../../functions/events/reveal-request-body.ts';
import revealResponseBody from '../../functions/events/reveal-response-body.ts';
import saveExternalLeads from '../../functions/extapi/save-external-leads.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import quarantineMail from '../../functions/mails/quarantine-mail.ts';
import readMail from '../../functions/mails/read-mail.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createNote from '../../functions/merchants/create-note.ts';
import deleteMerchant from '../../functions/merchants/delete-merchant.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import deleteTicket from '../../functions/tickets/delete-ticket.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import createUser from '../../functions/users/create-user.ts';
import forceUserPassword from '../../functions/users/force-user-password.ts';
import { bodiesKey } from '../../shared/body-capture/keys.ts';
import type { StoredBodies } from '../../shared/body-capture/stored-bodies.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { tableName } from '../../shared/table/client.ts';
import type { Item } from '../../shared/table/item.ts';
import { getItem } from '../../shared/table/read.ts';
import { addressOf, received } from '../correspondence/incoming-mail.ts';
import { clock } from '../harness/clock.ts';
import { documents } from '../harness/documents.ts';
import { drain } from '../harness/drain.ts';
import { noFaults } from '../harness/faults.ts';
import { canaries, filledApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { scanTable, storedEvents } from '../harness/raw-table.ts';
import { sealAll } from '../harness/seal-events.ts';
import { client, signIn, type Tenant, tenant } from '../harness/tenant.ts';
import { runAs, watchWire } from '../harness/wire.ts';
import { happyPath } from '../routes/happy-paths.ts';
import { exampleBody } from '../routes/records.ts';
import { secrets } from './secrets.ts';

const day = 86_400_000;
const reason = 'The vendor reports a missing field.';
const query = { skipTeamAndSourceRequirement: true };
const start = ({ admin, accountId }: Tenant, days = 7) =>
  admin.ok(startBodyCapture, { params: { id: accountId }, body: { days } });
const stop = ({ admin, accountId }: Tenant) => admin.ok(stopBodyCapture, { params: { id: accountId } });
const newLead = ({ directKey }: Tenant, notes = 'Likes tea') =>
  directKey.ok(createLead, { query, body: { firstName: 'Ada', lastName: 'Byron', notes } });
const logOf = async ({ admin }: Tenant, filter: object): Promise<LoggedEvent[]> =>
  (await admin.ok(listEvents, { query: filter })).data as LoggedEvent[];
async function eventAbout(acme: Tenant, subjectId: number | string): Promise<LoggedEvent> {
  const [event] = await logOf(acme, { subjectId: String(subjectId) });
  if (!event) throw new Error('The log has no such event.');
  return event;
}
const flags = ({ hasRequestBody, hasResponseBody }: LoggedEvent) => [hasRequestBody, hasResponseBody];
const shownBy = async ({ admin }: Tenant, id: number) => {
  const sent = { params: { id }, body: { reason } };
  const [request, response] = [
    await admin.ok(revealRequestBody, sent),
    await admin.ok(revealResponseBody, sent),
  ];
  return { request, response, sent: JSON.parse(request.body), answered: JSON.parse(response.body) };
};
const itemsOf = async ({ accountId }: Tenant, type: string): Promise<Item[]> =>
  (await scanTable()).filter((item) => item.type === type && String(item.pk).includes(accountId));
afterEach(noFaults);

describe('while capture is on', () => {
  test('an administrator shows what an integration sent and received, and each access is in the log with its reason', async () => {
    const acme = await tenant();
    const { bodyCaptureUntil = '' } = await start(acme, 7);
    expect(Date.parse(bodyCaptureUntil)).toBeCloseTo(clock.now().getTime() + 7 * day, -5);
    const lead = await newLead(acme);
    const event = await eventAbout(acme, lead.id);
    expect(flags(event)).toEqual([true, true]);
    const { request, sent, answered } = await shownBy(acme, event.id);
    expect(sent).toEqual({ firstName: 'Ada', lastName: 'Byron', notes: 'Likes tea' });
    expect(answered).toEqual(lead);
    expect(request).toMatchObject({ eventId: event.id, truncated: false, capturedAt: event.occurredAt });
    expect(Date.parse(request.expiresAt)).toBe(Date.parse(event.occurredAt) + 14 * day);
    const [second, first] = await logOf(acme, { subjectType: 'account', pageSize: 2 });
    expect([first?.kind, second?.kind]).toEqual([
      'event_request_body_revealed',
      'event_response_body_revealed',
    ]);
    for (const access of [first, second])
      expect(access).toMatchObject({ data: { eventId: event.id, reason }, actor: { user: acme.adminEmail } });
    const [updated] = await logOf(acme, { kind: 'account_updated' });
    expect(updated?.data).toEqual({ changes: { bodyCaptureUntil: { to: bodyCaptureUntil } } });
  });

  test('all events of a request refer to one item with its bodies, and a request without a body has only a response body', async () => {
    const acme = await tenant();
    await start(acme);
    const { id: leadId } = await newLead(acme);
    await acme.directKey.ok(archiveLead, { params: { leadId } });
    expect(flags(await eventAbout(acme, leadId))).toEqual([undefined, true]);
    const { id } = await eventAbout(acme, leadId);
    const sent = { params: { id }, body: { reason } };
    expect((await acme.admin.call(revealRequestBody, sent)).status).toBe(404);
    const user = await acme.admin.ok(createUser, { body: { email: 'linus@example.com' } });
    const made = (await storedEvents(acme.accountId)).filter(
      ({ subject }) => (subject as { id: unknown }).id === user.id,
    );
    expect(new Set(made.map(({ bodies }) => (bodies as { id: number }).id)).size).toBe(1);
  });

  test('a sensitive value, a password and an appKey are in no captured body, and no body is stored in plain text', async () => {
    const acme = await tenant();
    await start(acme);
    const text = `Her number is ${canaries.ssn}, card 4111 1111 1111 1111, canary-in-plain-text.`;
    const lead = await newLead(acme, text);
    const made = await acme.admin.ok(createApplication, { body: filledApplication });
    const user = await acme.admin.ok(createUser, { body: { email: 'grace.hidden@example.com' } });
    await acme.admin.ok(forceUserPassword, {
      params: { email: 'grace.hidden@example.com' },
      body: { password: 'hunter2 hunter2 hunter2' },
    });
    const key = await acme.admin.ok(createApiKey, { body: { description: 'Weekly import' } });
    const shown: string[] = [];
    for (const { id, ...event } of await logOf(acme, { pageSize: 100 })) {
      const sent = { params: { id }, body: { reason } };
      if (event.hasRequestBody) shown.push((await acme.admin.ok(revealRequestBody, sent)).body);
      if (event.hasResponseBody) shown.push((await acme.admin.ok(revealResponseBody, sent)).body);
    }
    const all = shown.join('\n');
    expect(shown.length).toBeGreaterThan(8);
    // Values that are not sensitive remain.
    for (const value of ['canary-in-plain-text', String(lead.id), made.id, user.email, 'Weekly import'])
      expect(all).toContain(value);
    const secrets = [...Object.values(canaries), '4111 1111', 'hunter2', key.apiSecret, made.system.appKey];
    for (const value of secrets) expect(all).not.toContain(value);
    const bodies = JSON.stringify([...(await itemsOf(acme, 'bodies')), ...(await itemsOf(acme, 'body-key'))]);
    expect(bodies.length).toBeGreaterThan(1000);
    for (const value of ['canary-in-plain-text', 'firstName', 'Weekly import', 'hunter2', '\\"kty\\"'])
      expect(bodies).not.toContain(value);
  });

  test('secrets in free texts and in fields of any name are in no captured body', async () => {
    const acme = await tenant();
    await start(acme);
    const some = secrets.filter((_, n) => n % 40 === 7);
    for (const { text } of some) {
      const lead = await newLead(acme, `See ${text} today.`);
      const body = {
        ...(exampleBody(createTicket) as object),
        metaData: { shop: 'harbor', reference: text },
      };
      const ticket = await acme.admin.ok(createTicket, { body: body as never });
      for (const id of [lead.id, ticket.id]) {
        const { request, response } = await shownBy(acme, (await eventAbout(acme, id)).id);
        const shown = `${request.body} ${response.body}`;
        expect(shown).toContain('REDACTED');
        expect(shown).not.toContain(JSON.stringify(text).slice(1, -1));
      }
    }
    expect(some.length).toBeGreaterThan(5);
  });

  test('mails that are written and decided about are captured without secrets, and a mail that is only read is not captured', async () => {
    const acme = await tenant();
    const inbound = await addressOf(acme.accountId);
    const text = `My number is ${canaries.ssn}, card 4111 1111 1111 1111. The terminal is dark.`;
    const { id: mailId, recordId } = await received(acme.accountId, { to: inbound, body: text });
    await start(acme);
    const answer = async (body: string) =>
      acme.admin.call(sendTicketMail, { params: { ticketId: String(recordId) }, body: { body } });
    // A mail with such values is rejected, so its body cannot contain them.
    expect((await answer(text)).status).toBe(400);
    expect((await answer('The terminal is ready.')).status).toBe(201);
    const mail = await acme.admin.ok(quarantineMail, { params: { mailId } });
    expect(mail.text).toBe(text);
    const bodiesOf = async (path: string) => {
      const [event] = (await logOf(acme, {})).filter(({ request }) => request.path.endsWith(path));
      return { params: { id: Number(event?.id) }, body: { reason } };
    };
    const [written, decided] = [await bodiesOf('/mails'), await bodiesOf(`/mails/${mailId}/quarantine`)];
    for (const endpoint of [revealRequestBody, revealResponseBody])
      expect((await acme.admin.ok(endpoint, written)).body).toContain('The terminal is ready.');
    const { body } = await acme.admin.ok(revealResponseBody, decided);
    expect(body).toMatch(/REDACTED.*REDACTED.*The terminal is dark\./);
    for (const secret of [canaries.ssn, '4111 1111']) expect(body).not.toContain(secret);
    const stored = await itemsOf(acme, 'bodies');
    await acme.admin.ok(readMail, { params: { mailId } });
    expect(await itemsOf(acme, 'bodies')).toEqual(stored);
  });

  test('a body over 64 KB is truncated', async () => {
    const acme = await tenant();
    await start(acme);
    const leads = Array.from({ length: 80 }, (_, n) => ({
      externalId: `long-${n}`,
      firstName: 'Ada',
      lastName: 'Byron',
      notes: 'é'.repeat(900),
    }));
    await acme.directKey.ok(saveExternalLeads, { body: { leads } });
    const [event] = await logOf(acme, { kind: 'extapi_lead_batch_submitted' });
    const sent = { params: { id: Number(event?.id) }, body: { reason } };
    const { body, truncated } = await acme.admin.ok(revealRequestBody, sent);
    expect(truncated).toBe(true);
    expect([65_535, 65_536]).toContain(Buffer.byteLength(body));
    expect(JSON.stringify({ leads }).startsWith(body)).toBe(true);
    expect((await acme.admin.ok(revealResponseBody, sent)).truncated).toBe(false);
  });

  test('a request that changes many records in parts has both bodies', async () => {
    const acme = await tenant();
    const body = (await happyPath(bulkTickets, acme)).body as never;
    await start(acme);
    const answer = await acme.admin.ok(bulkTickets, { body });
    const [event] = await logOf(acme, { subjectType: 'ticket', pageSize: 1 });
    expect(flags(event as LoggedEvent)).toEqual([true, true]);
    const { sent, answered } = await shownBy(acme, Number(event?.id));
    expect(sent).toEqual(JSON.parse(JSON.stringify(body)));
    expect(answered).toEqual(answer);
    // The response of the bulk request and of each ticket's event are in one item.
    expect(await itemsOf(acme, 'bodies')).toHaveLength(3);
  });

  test('the largest transaction, which has no room for the bodies, still succeeds and has its bodies', async () => {
    const acme = await tenant();
    const people = (from: number) =>
      Array.from({ length: 48 }, (_, n) => ({ ssn: `541-1${from}-${1000 + n}`, firstName: `P${from}-${n}` }));
    const body = { merchantName: 'Cooperative', principals: people(0) };
    const { id: merchantId } = await acme.admin.ok(createMerchant, { body });
    await start(acme);
    const params = { merchantId };
    await acme.admin.ok(updateMerchant, { params, body: { principals: people(1) } });
    const event = await eventAbout(acme, merchantId);
    expect([event.kind, ...flags(event)]).toEqual(['merchant_updated', true, true]);
    const { sent } = await shownBy(acme, event.id);
    expect(sent.principals).toHaveLength(48);
    expect(sent.principals[0]).toEqual({ ssn: 'REDACTED', firstName: 'P1-0' });
  });

  test('the events remain provable: their seals contain the reference to the bodies', async () => {
    const acme = await tenant();
    await start(acme);
    const { id } = await newLead(acme);
    const event = await eventAbout(acme, id);
    await sealAll(acme.accountId);
    const { sealedText } = await acme.admin.ok(proveEvent, { params: { id: event.id } });
    expect(JSON.parse(sealedText)).toMatchObject({ id: event.id, bodies: { request: true, response: true } });
  });

  test('a change needs no more requests to AWS than without capture', async () => {
    const acme = await tenant();
    const requests = async (act: () => Promise<unknown>): Promise<string[]> => {
      const seen: string[] = [];
      const end = watchWire({ done: ({ operation }) => void seen.push(operation) });
      await act().finally(end);
      return seen;
    };
    await newLead(acme);
    const before = await requests(() => newLead(acme));
    await start(acme);
    expect(await requests(() => newLead(acme))).toEqual(before);
    await stop(acme);
    expect(await requests(() => newLead(acme))).toEqual(before);
  });

  test('a dry run and a rejected request store nothing, and a replay refers to the first request', async () => {
    const acme = await tenant();
    await start(acme);
    const stored = async () => (await itemsOf(acme, 'bodies')).length;
    const before = await stored();
    const body = { firstName: 'Ada', lastName: 'Byron' };
    await acme.admin.dryRun(createLead, { query, body });
    await acme.admin.call(createLead, { query, body: { firstName: '' } as never });
    await acme.admin.call(deleteLead, { params: { leadId: 4711 } });
    expect(await stored()).toBe(before);
    const headers = { 'idempotency-key': randomUUID() };
    for (const _ of [1, 2]) await acme.admin.ok(createLead, { query, body, headers });
    expect(await stored()).toBe(before + 1);
  });
});

describe('capture ends', () => {
  test('when an administrator stops it: stored bodies remain, and later requests are not captured', async () => {
    const acme = await tenant();
    await start(acme);
    const before = await newLead(acme);
    expect((await stop(acme)).bodyCaptureUntil).toBeUndefined();
    const after = await newLead(acme);
    expect(flags(await eventAbout(acme, after.id))).toEqual([undefined, undefined]);
    const { id } = await eventAbout(acme, before.id);
    expect((await shownBy(acme, id)).sent.firstName).toBe('Ada');
    // Bodies of an earlier period remain readable after a new start, which has a new key.
    await start(acme);
    expect((await shownBy(acme, id)).sent.firstName).toBe('Ada');
    const again = await eventAbout(acme, (await newLead(acme)).id);
    expect((await shownBy(acme, again.id)).sent.firstName).toBe('Ada');
  });

  test('after the chosen number of days, at most 14', async () => {
    const acme = await tenant();
    for (const days of [0, 15, 1.5]) {
      const sent = { params: { id: acme.accountId }, body: { days } };
      expect((await acme.admin.call(startBodyCapture, sent)).status).toBe(400);
    }
    const body = { days: 1 };
    const other = await acme.admin.call(startBodyCapture, { params: { id: 'acc_other' }, body });
    expect(other.status).toBe(404);
    await start(acme, 14);
    await start(acme, 1);
    const { bodyCaptureUntil = '' } = await acme.admin.ok(readAccount, { params: { id: acme.accountId } });
    expect(Date.parse(bodyCaptureUntil)).toBeLessThan(clock.now().getTime() + 1.1 * day);
    clock.advance(day + 1000);
    const by = await tenantAgain(acme);
    const { id } = await newLead(by);
    expect(flags(await eventAbout(by, id))).toEqual([undefined, undefined]);
  });

  test('bodies are erased after 14 days, and are not shown after that time even if the table still has them', async () => {
    const acme = await tenant();
    await start(acme, 14);
    const { id: leadId } = await newLead(acme);
    const { id } = await eventAbout(acme, leadId);
    const { bodies } = (await storedEvents(acme.accountId)).find((event) => event.id === id) as {
      bodies?: { id: number };
    };
    const item = (await getItem(bodiesKey(acme.accountId, bodies?.id ?? 0))) as Item & StoredBodies;
    expect(Number(item.expiresAtSeconds)).toBe(Math.floor(Date.parse(item.capturedAt) / 1000) + 14 * 86_400);
    clock.advance(14 * day + 1000);
    const by = await tenantAgain(acme);
    expect(flags(await eventAbout(by, leadId))).toEqual([undefined, undefined]);
    const sent = { params: { id }, body: { reason } };
    for (const endpoint of [revealRequestBody, revealResponseBody])
      expect((await by.admin.call(endpoint, sent)).status).toBe(404);
  });
});

describe('the bodies of a deleted record', () => {
  const statusOf = async ({ admin }: Tenant, id: number): Promise<number> =>
    (await admin.call(revealRequestBody, { params: { id }, body: { reason } })).status;

  test('are erased with it, also those of its children, and the bodies of other records stay', async () => {
    const acme = await tenant();
    await start(acme);
    const [lead, other] = [await newLead(acme), await newLead(acme)];
    const merchant = await acme.admin.ok(createMerchant, { body: { merchantName: 'Harbor Street Coffee' } });
    const params = { merchantId: merchant.id };
    await acme.admin.ok(createNote, { params, body: { content: 'Called on Monday' } });
    const events = {
      lead: await eventAbout(acme, lead.id),
      other: await eventAbout(acme, other.id),
      merchant: await eventAbout(acme, merchant.id),
      note: (await logOf(acme, { kind: 'note_created' }))[0] as LoggedEvent,
    };
    await drain();
    expect(await itemsOf(acme, 'bodies')).toHaveLength(4);
    await acme.admin.ok(deleteLead, { params: { leadId: lead.id } });
    await acme.admin.ok(deleteMerchant, { params });
    await drain();
    expect(await itemsOf(acme, 'bodies')).toHaveLength(1);
    // The reference of the note contains only ids, and expires.
    const references = (await itemsOf(acme, 'bodies-of')).map(({ pk }) => String(pk).split('#').slice(-2));
    expect(references.map(([type]) => type).sort()).toEqual(['lead', 'note']);
    expect(references).toContainEqual(['lead', String(other.id)]);
    const shown = await Promise.all(Object.values(events).map(({ id }) => statusOf(acme, id)));
    expect(shown).toEqual([404, 200, 404, 404]);
    // The response of the deletion is the deleted record.
    const [deletion] = await logOf(acme, { kind: 'lead_deleted' });
    expect(flags(deletion as LoggedEvent)).toEqual([undefined, undefined]);
  });

  test('are erased if a body contains several records, and one of them is deleted', async () => {
    const acme = await tenant();
    await start(acme);
    const body = (await happyPath(bulkTickets, acme)).body as { ticketIds: string[] };
    await acme.admin.ok(bulkTickets, { body: body as never });
    const [event] = await logOf(acme, { subjectType: 'ticket', pageSize: 1 });
    expect(await statusOf(acme, Number(event?.id))).toBe(200);
    await acme.admin.ok(deleteTicket, { params: { ticketId: String(body.ticketIds[0]) } });
    await drain();
    expect(await statusOf(acme, Number(event?.id))).toBe(404);
  });

  test('stay erased if a request that changes many records ends after the deletion', async () => {
    const acme = await tenant();
    await start(acme);
    const body = (await happyPath(bulkTickets, acme)).body as { ticketIds: string[] };
    const stored = (await itemsOf(acme, 'bodies')).length;
    let erased = 0;
    const end = watchWire({
      before: ({ operation, input }) => {
        if (operation !== 'TransactWriteItems' || !JSON.stringify(input).includes('"response":{"M"'))
          return undefined;
        // The bodies are erased before the bulk request replaces them.
        return runAs({ functionName: 'erasure' }, async () => {
          for (const { pk, sk } of (await itemsOf(acme, 'bodies')).slice(stored)) {
            await documents.send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
            erased++;
          }
        });
      },
    });
    await acme.admin.ok(bulkTickets, { body: body as never }).finally(end);
    expect(erased).toBe(1);
    expect(await itemsOf(acme, 'bodies')).toHaveLength(stored);
  });
});

/** The same tenant with new sessions, because its sessions expired. */
async function tenantAgain(acme: Tenant): Promise<Tenant> {
  const authorization = await signIn({ email: acme.adminEmail, password: acme.adminPassword });
  return { ...acme, admin: client({ 'x-account-id': acme.accountId, authorization }) };
}

describe('an attack', () => {
  test('a caller without the permission, of another account, or without a reason sees nothing', async () => {
    const [acme, other] = [await tenant(), await tenant()];
    await start(acme);
    const { id: leadId } = await newLead(acme);
    const { id } = await eventAbout(acme, leadId);
    const sent = { params: { id }, body: { reason } };
    const { client: reader } = await member(acme, ['readEvents', 'readLeads']);
    const { client: blind } = await member(acme, ['revealBodies', 'readLeads']);
    const { client: revealer } = await member(acme, ['readEvents', 'revealBodies']);
    const foreign = client({ ...other.admin.headers, 'x-account-id': acme.accountId });
    const status = async (by: { call: Tenant['admin']['call'] }, more: object = {}) =>
      (await by.call(revealRequestBody, { ...sent, ...more } as never)).status;
    expect(await status(reader)).toBe(403);
    // A body can contain texts of any record, as the event log does.
    expect(await status(blind)).toBe(403);
    expect(await status(foreign)).toBe(403);
    expect(await status(other.admin)).toBe(404);
    expect(await status(acme.admin, { body: {} })).toBe(400);
    expect(await status(acme.admin, { body: { reason: ' ' } })).toBe(400);
    expect(await status(revealer)).toBe(200);
    // An API key may have the permission.
    expect(await status(acme.directKey)).toBe(200);
    const keyOrReader = [reader, acme.key];
    for (const by of keyOrReader) {
      const params = { id: acme.accountId };
      expect((await by.call(startBodyCapture, { params, body: { days: 1 } })).status).toBe(403);
      expect((await by.call(stopBodyCapture, { params })).status).toBe(403);
    }
    expect((await logOf(acme, { kind: 'event_request_body_revealed' })).length).toBe(2);
  });

  test('a preview, a replay and the capture of the access itself contain no body', async () => {
    const acme = await tenant();
    await start(acme);
    const { id: leadId } = await newLead(acme, 'canary-of-the-lead');
    const { id } = await eventAbout(acme, leadId);
    const sent = { params: { id }, body: { reason } };
    const preview = await acme.admin.dryRun(revealRequestBody, sent);
    expect(preview.answer.body).toBe('REDACTED');
    const headers = { 'idempotency-key': randomUUID() };
    const first = await acme.admin.ok(revealRequestBody, { ...sent, headers });
    const again = await acme.admin.ok(revealRequestBody, { ...sent, headers });
    expect([first.body.includes('canary-of-the-lead'), again.body]).toEqual([true, 'REDACTED']);
    const [access] = await logOf(acme, { kind: 'event_request_body_revealed' });
    const { answered, sent: asked } = await shownBy(acme, Number(access?.id));
    expect([answered.body, asked.reason]).toEqual(['REDACTED', reason]);
  });

  test('a body that is moved to another event or part is not decrypted', async () => {
    const acme = await tenant();
    await start(acme);
    const events = [
      await eventAbout(acme, (await newLead(acme)).id),
      await eventAbout(acme, (await newLead(acme)).id),
    ];
    const [one, two] = await Promise.all(
      events.map(async ({ id }) => {
        const stored = (await storedEvents(acme.accountId)).find((event) => event.id === id);
        const { bodies } = stored as unknown as { bodies: { id: number } };
        return (await getItem(bodiesKey(acme.accountId, bodies.id))) as Item & StoredBodies;
      }),
    );
    const put = (part: 'request' | 'response', jwe: string | undefined) =>
      documents.send(
        new UpdateCommand({
          TableName: tableName(),
          Key: { pk: one?.pk, sk: one?.sk },
          UpdateExpression: `SET #part.jwe = :jwe`,
          ExpressionAttributeNames: { '#part': part },
          ExpressionAttributeValues: { ':jwe': jwe },
        }),
      );
    const sent = { params: { id: Number(events[0]?.id) }, body: { reason } };
    await put('request', two?.request?.jwe);
    expect((await acme.admin.call(revealRequestBody, sent)).status).toBe(500);
    await put('response', one?.request?.jwe);
    expect((await acme.admin.call(revealResponseBody, sent)).status).toBe(500);
  });

  test('a body is not shown if its event cannot be stored', async () => {
    const acme = await tenant();
    await start(acme);
    const { id } = await eventAbout(acme, (await newLead(acme)).id);
    const allow = watchWire({
      refuse: ({ operation }) => (operation === 'TransactWriteItems' ? 'not now' : undefined),
    });
    const response = await acme.admin.call(revealRequestBody, { params: { id }, body: { reason } });
    allow();
    expect(response.status).toBe(500);
    expect(JSON.stringify(response.body)).not.toContain('Ada');
    expect(await logOf(acme, { kind: 'event_request_body_revealed' })).toEqual([]);
  });
});
