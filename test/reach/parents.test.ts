import { describe, expect, test } from 'vitest';
import startBodyCapture from '../../functions/accounts/start-body-capture.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import readAgeing from '../../functions/billing/read-ageing.ts';
import readStatement from '../../functions/billing/read-statement.ts';
import explainEvent from '../../functions/events/explain-event.ts';
import listEvents from '../../functions/events/list-events.ts';
import proveEvent from '../../functions/events/prove-event.ts';
import revealRequestBody from '../../functions/events/reveal-request-body.ts';
import revealResponseBody from '../../functions/events/reveal-response-body.ts';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import listInvoices from '../../functions/invoices/list-invoices.ts';
import openInvoice from '../../functions/invoices/open-invoice.ts';
import printInvoice from '../../functions/invoices/print-invoice.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import recordPayment from '../../functions/invoices/record-payment.ts';
import updateInvoice from '../../functions/invoices/update-invoice.ts';
import voidInvoice from '../../functions/invoices/void-invoice.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import sendLeadMail from '../../functions/leads/send-lead-mail.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import listMails from '../../functions/mails/list-mails.ts';
import quarantineMail from '../../functions/mails/quarantine-mail.ts';
import readMail from '../../functions/mails/read-mail.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createNote from '../../functions/merchants/create-note.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import searchRecords from '../../functions/search/search-records.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import listWebhookDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import readWebhookDelivery from '../../functions/webhooks/read-webhook-delivery.ts';
import type { AnyContract, Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { draftBody } from '../billing/world.ts';
import { addressOf } from '../correspondence/incoming-mail.ts';
import { measure } from '../costs/meter.ts';
import { drain } from '../harness/drain.ts';
import { member, provesAgain } from '../harness/member.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { sealAll } from '../harness/seal-events.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { newTicketOf } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const query = { skipTeamAndSourceRequirement: true };
const reads = ['readOwnLeads', 'readOwnApplications', 'readOwnMerchants', 'readOwnTickets'] as const;
const writes = ['writeOwnLeads', 'writeOwnMerchants', 'writeOwnTickets'] as const;
const further = [
  ...(['readEvents', 'revealBodies', 'readWebhooks', 'readMails', 'writeMails'] as const),
  ...(['readInvoices', 'writeInvoices', 'readInternalComments'] as const),
];
const agent = await member(acme, [...further, ...reads, ...writes]);
const writer = await member(acme, [...further, ...writes]);
const auditor = await member(acme, further);
const idOf = ({ user }: { user: { id: number } }) => String(user.id);
const target = await receiver(behaviours.responds(200));
await addressOf(acme.accountId);
await addressOf(acme.accountId, { address: 'sales@acme.test', purpose: 'leads' });

await admin.ok(startBodyCapture, { params: { id: acme.accountId }, body: { days: 7 } });
const { id: webhookId } = await admin.ok(createWebhook, {
  body: { url: target.url, events: ['lead_updated', 'mid_created', 'note_created'] },
});

const mail = { to: ['ada@example.com'], subject: 'Byron', body: 'The terminal is ready.' };

/** Creates records of one owner, with records that belong to them. */
async function world(owner: string, name: string) {
  const lead = await admin.ok(createLead, {
    query,
    body: { firstName: name, lastName: 'Byron', assignedTo: owner },
  });
  await admin.ok(updateLead, { params: { leadId: lead.id }, body: { notes: `About ${name}` } });
  const sent = await admin.ok(sendLeadMail, { params: { leadId: lead.id }, body: mail });
  const ticket = await newTicketOf(admin, { assignedTo: owner });
  await admin.ok(createTicketComment, {
    params: { ticketId: String(ticket.id) },
    body: { body: `For ${name}` },
  });
  const merchant = await admin.ok(createMerchant, { body: { merchantName: `${name} Coffee` } });
  const params = { merchantId: merchant.id };
  await admin.ok(setMerchantOwner, { params, body: { ownerId: owner } });
  await admin.ok(createMid, { params, body: { mid: `49${merchant.id}`.slice(0, 15) } });
  await admin.ok(createNote, { params, body: { content: `Note of ${name}` } });
  const invoice = await admin.ok(createInvoice, { body: draftBody(String(merchant.id)) });
  const named = { invoiceId: invoice.id };
  await admin.ok(openInvoice, { params: named });
  const body = { amount: 100, method: 'bank_transfer' as const, reference: `wire ${name}` };
  await admin.ok(recordPayment, { params: named, body });
  return { lead, mail: sent, ticket, merchant, invoice };
}

const somebody = await member(acme);
const own = { agent: await world(idOf(agent), 'Mine'), writer: await world(idOf(writer), 'Theirs') };
const hidden = await world(idOf(somebody), 'Secret');
await admin.ok(bulkTickets, {
  body: {
    action: 'add_tag',
    ticketIds: [own.agent.ticket, hidden.ticket].map(({ id }) => String(id)),
    payload: { tag: 'vip' },
  },
});
await drain();
await sealAll(acme.accountId);

/** Callers from whom records are hidden: one who reads own records, and one who only changes them. */
const limited = [
  ['a user with limited permissions', agent.client, own.agent],
  ['a user with limited permissions to change', writer.client, own.writer],
] as const;

async function eventsFor(by: Client): Promise<LoggedEvent[]> {
  const found: LoggedEvent[] = [];
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
    const page: Awaited<ReturnType<typeof pageFor>> = await pageFor(by, cursor);
    found.push(...(page.data as LoggedEvent[]));
    cursor = page.nextCursor;
  }
  return found;
}
const pageFor = (by: Client, cursor: string) => by.ok(listEvents, { query: { cursor, pageSize: 7 } });

const all = await eventsFor(admin);
const isAbout = (record: typeof hidden) => (event: LoggedEvent) =>
  [record.lead, record.ticket, record.merchant, record.invoice].some(
    ({ id }) => id === event.subject.id || id === event.subject.parent?.id,
  );
const secret = all.filter(isAbout(hidden));
const isOfMail = ({ request }: LoggedEvent) => request.path.endsWith('/mails');

/** Sends a request with an id, and returns the response without this id. */
async function outcome(by: Client, endpoint: Endpoint, name: string, id: number, more: object = {}) {
  const { params, ...rest } = more as { params?: object };
  const sent = { params: { ...params, [name]: id }, ...rest };
  const { status, body } = await by.call<AnyContract>(endpoint, sent as object);
  const { requestId, ...error } = body as unknown as Record<string, unknown>;
  return { status, text: JSON.stringify(error).replaceAll(String(id), 'ID') };
}
const unknown = 4_711;

test('the world has events of every kind of record below a hidden one', () => {
  expect(new Set(secret.map(({ subject }) => subject.type))).toEqual(
    new Set(['lead', 'ticket', 'merchant', 'mid', 'note', 'invoice', 'account']),
  );
  expect(secret.find(isOfMail)).toMatchObject({ hasRequestBody: true, hasResponseBody: true });
});

describe.each(limited)('to %s', (_, by, mine) => {
  test('the event log shows exactly the events that do not belong to hidden records', async () => {
    const others = [hidden, own.agent, own.writer].filter((one) => one !== mine);
    const wanted = all.filter((event) => !others.some((one) => isAbout(one)(event)));
    const logged = await eventsFor(by);
    const shown = logged.filter(({ id }) => id <= Number(all[0]?.id));
    expect(shown.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
    expect(shown.filter(isAbout(mine)).length).toBeGreaterThan(10);
    const page = await by.ok(listEvents, { query: { page: 2, pageSize: 5 } });
    expect(page).toMatchObject({ totalCount: 11, totalIsLowerBound: true });
    expect(page.data).toEqual(logged.slice(5, 10));
    const sorted = await by.ok(listEvents, { query: { sort: 'occurredAt', pageSize: 100 } });
    expect(sorted.totalCount).toBe(logged.length);
    const ofHidden = await by.ok(listEvents, { query: { subjectId: String(hidden.lead.id) } });
    expect(ofHidden).toMatchObject({ data: [], totalCount: 0, totalPages: 0 });
  });

  test('a hidden event has no proof, no explanation, no bodies and no delivery, like an unknown one', async () => {
    await provesAgain(by);
    const body = { reason: 'A question' };
    const delivery = { params: { id: webhookId } };
    const delivered = await by.ok(listWebhookDeliveries, { params: { id: webhookId } });
    expect(delivered.data.length).toBeGreaterThan(1);
    for (const { id } of secret) {
      expect(delivered.data.map((one) => one.id)).not.toContain(id);
      for (const [endpoint, name, more] of [
        [proveEvent, 'id', {}],
        [explainEvent, 'id', {}],
        [revealRequestBody, 'id', { body }],
        [revealResponseBody, 'id', { body }],
        [readWebhookDelivery, 'did', delivery],
      ] as const) {
        const response = await outcome(by, endpoint as Endpoint, name, id, more);
        expect(response.status, endpoint.contract.path).toBe(404);
        expect(response).toEqual(await outcome(by, endpoint as Endpoint, name, unknown, more));
      }
    }
    const [shown] = all.filter(isAbout(mine)).filter(({ kind }) => kind === 'lead_updated');
    const params = { id: Number(shown?.id) };
    const written = all.filter(isAbout(mine)).find(isOfMail);
    const mailed = { params: { id: Number(written?.id) }, body };
    for (const endpoint of [revealRequestBody, revealResponseBody])
      expect((await by.ok(endpoint, mailed)).body).toContain(mail.body);
    expect((await by.ok(revealRequestBody, { params, body })).body).toContain('About');
    expect((await by.ok(proveEvent, { params })).sealedText).toContain(String(mine.lead.id));
    expect((await by.call(explainEvent, { params })).status).toBe(200);
    expect((await by.ok(readWebhookDelivery, { params: { id: webhookId, did: params.id } })).id).toBe(
      params.id,
    );
  });

  test('an invoice of a hidden merchant is an unknown one', async () => {
    for (const [endpoint, body] of [
      [readInvoice],
      [printInvoice],
      [updateInvoice, { dueDate: '2027-01-31' }],
      [openInvoice],
      [voidInvoice],
      [recordPayment, { amount: 1, method: 'bank_transfer', reference: 'guess' }],
    ] as const) {
      const { id } = hidden.invoice;
      const response = await outcome(by, endpoint as Endpoint, 'invoiceId', id, { body });
      expect(response.status, endpoint.contract.summary).toBe(404);
      expect(response).toEqual(await outcome(by, endpoint as Endpoint, 'invoiceId', unknown, { body }));
      const visible = await outcome(by, endpoint as Endpoint, 'invoiceId', mine.invoice.id, { body });
      expect(visible.status, endpoint.contract.summary).not.toBe(404);
    }
    expect((await by.ok(listInvoices)).data.map(({ id }) => id)).toEqual([mine.invoice.id]);
    expect((await by.ok(listInvoices, { query: { search: 'Secret' } })).data).toEqual([]);
    expect(await by.ok(listInvoices, { query: { status: ['open'] } })).toMatchObject({ totalCount: 1 });
    expect((await by.ok(searchRecords, { query: { q: 'coffee' } })).invoices?.map(({ id }) => id)).toEqual([
      mine.invoice.id,
    ]);
    const { customers } = await by.ok(readAgeing);
    expect(customers.map(({ customerId }) => customerId)).toEqual([String(mine.merchant.id)]);
    const statementOf = (customerId: number) =>
      by.ok(readStatement, {
        query: { customerId: String(customerId), from: '2026-01-01', to: '2027-12-31' },
      });
    expect((await statementOf(mine.merchant.id)).entries).not.toEqual([]);
    expect({ ...(await statementOf(hidden.merchant.id)), customerId: '' }).toEqual({
      ...(await statementOf(unknown)),
      customerId: '',
    });
  });

  test('a mail of a hidden lead is an unknown one, also with readMails', async () => {
    for (const endpoint of [readMail, quarantineMail]) {
      const response = await outcome(by, endpoint as Endpoint, 'mailId', hidden.mail.id);
      expect(response).toEqual(await outcome(by, endpoint as Endpoint, 'mailId', unknown));
      expect(response.status).toBe(404);
    }
    expect((await by.ok(listMails)).data.map(({ id }) => id)).toEqual([mine.mail.id]);
    expect((await by.ok(searchRecords, { query: { q: 'terminal' } })).mails?.map(({ id }) => id)).toEqual([
      mine.mail.id,
    ]);
    expect((await by.ok(readMail, { params: { mailId: mine.mail.id } })).id).toBe(mine.mail.id);
  });
});

test('the body of a request about several records is shown only to callers who reach all records', async () => {
  const [event] = all.filter(({ request, subject }) => {
    return request.path === '/tickets/bulk' && subject.id === own.agent.ticket.id;
  });
  const sent = { params: { id: Number(event?.id) }, body: { reason: 'A question' } };
  await provesAgain(agent.client);
  expect((await agent.client.call(revealRequestBody, sent)).status).toBe(404);
  await provesAgain(auditor.client);
  expect((await auditor.client.ok(revealRequestBody, sent)).body).toContain(String(hidden.ticket.id));
});

test('the body of a conversion is hidden from a caller who may not see the application', async () => {
  const leadId = own.agent.lead.id;
  const { application } = await admin.ok(convertLead, { params: { leadId } });
  const params = { applicationId: application.id };
  await admin.ok(setApplicationOwner, { params, body: { ownerId: idOf(somebody) } });
  await drain();
  const [event] = (await agent.client.ok(listEvents, { query: { kind: ['lead_converted'] } })).data;
  const sent = { params: { id: Number(event?.id) }, body: { reason: 'A question' } };
  await provesAgain(agent.client);
  expect((await agent.client.call(revealResponseBody, sent)).status).toBe(404);
  await provesAgain(auditor.client);
  expect((await auditor.client.ok(revealResponseBody, sent)).body).toContain(application.id);
});

test('a caller without any permission for the type of a record gets the events of all records, without a further read', async () => {
  const read = () => measure(() => auditor.client.ok(listEvents, { query: { pageSize: 100 } }));
  const readAll = () => measure(() => admin.ok(listEvents, { query: { pageSize: 100 } }));
  await Promise.all([read(), readAll()]);
  const [some, every] = [await read(), await readAll()];
  expect(some.result.data).toEqual(every.result.data);
  expect(sentBy(some)).toEqual(sentBy(every));
});

/** The requests without those that count calls. */
const sentBy = ({ exchanges }: { exchanges: readonly { operation: string }[] }): string[] =>
  exchanges.flatMap(({ operation }) => (operation === 'UpdateItem' ? [] : [operation])).sort();
