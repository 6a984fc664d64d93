import { randomUUID } from 'node:crypto';
import { describe, expect, expectTypeOf, test } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import sendApplicationMail from '../../functions/applications/send-application-mail.ts';
import deleteFactor from '../../functions/auth/delete-factor.ts';
import renewRecoveryCodes from '../../functions/auth/renew-recovery-codes.ts';
import stepUp from '../../functions/auth/step-up.ts';
import verifyLogin from '../../functions/auth/verify-login.ts';
import assignUnmatchedPayment from '../../functions/billing/assign-unmatched-payment.ts';
import deleteBankAccount from '../../functions/billing/delete-bank-account.ts';
import deletePaymentProvider from '../../functions/billing/delete-payment-provider.ts';
import deleteUnmatchedPayment from '../../functions/billing/delete-unmatched-payment.ts';
import listUnmatchedPayments from '../../functions/billing/list-unmatched-payments.ts';
import receivePaymentNotice from '../../functions/billing/receive-payment-notice.ts';
import rotateProviderSecret from '../../functions/billing/rotate-provider-secret.ts';
import saveBankAccount from '../../functions/billing/save-bank-account.ts';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import explainEvent from '../../functions/events/explain-event.ts';
import listEventKinds from '../../functions/events/list-event-kinds.ts';
import listEvents from '../../functions/events/list-events.ts';
import createTicketTypeMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import deletePartnerConnection from '../../functions/integrations/delete-partner-connection.ts';
import deleteTicketTypeMapping from '../../functions/integrations/delete-ticket-type-mapping.ts';
import replaceTicketTypeMapping from '../../functions/integrations/replace-ticket-type-mapping.ts';
import rotatePartnerSecret from '../../functions/integrations/rotate-partner-secret.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import creditInvoice from '../../functions/invoices/credit-invoice.ts';
import deleteInvoice from '../../functions/invoices/delete-invoice.ts';
import updateInvoice from '../../functions/invoices/update-invoice.ts';
import voidInvoice from '../../functions/invoices/void-invoice.ts';
import writeOffInvoice from '../../functions/invoices/write-off-invoice.ts';
import sendLeadMail from '../../functions/leads/send-lead-mail.ts';
import createMailAddress from '../../functions/mail-addresses/create-mail-address.ts';
import deleteMailAddress from '../../functions/mail-addresses/delete-mail-address.ts';
import updateMailAddress from '../../functions/mail-addresses/update-mail-address.ts';
import createMailDomain from '../../functions/mail-domains/create-mail-domain.ts';
import deleteMailDomain from '../../functions/mail-domains/delete-mail-domain.ts';
import validateMailDomain from '../../functions/mail-domains/validate-mail-domain.ts';
import linkRawMail from '../../functions/mails/link-raw-mail.ts';
import moveMail from '../../functions/mails/move-mail.ts';
import quarantineMail from '../../functions/mails/quarantine-mail.ts';
import releaseMail from '../../functions/mails/release-mail.ts';
import listNotifications from '../../functions/notifications/list-notifications.ts';
import saveProvisioning from '../../functions/provisioning/save-provisioning.ts';
import createResidualAdjustment from '../../functions/residual-adjustments/create-adjustment.ts';
import deleteResidualAdjustment from '../../functions/residual-adjustments/delete-adjustment.ts';
import updateResidualAgreement from '../../functions/residual-agreements/update-residual-agreement.ts';
import deleteResidualFormat from '../../functions/residual-formats/delete-residual-format.ts';
import updateResidualFormat from '../../functions/residual-formats/update-residual-format.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import approveResidualStatements from '../../functions/residual-statements/approve-statements.ts';
import createRole from '../../functions/roles/create-role.ts';
import createScimGroup from '../../functions/scim/create-scim-group.ts';
import deleteScimGroup from '../../functions/scim/delete-scim-group.ts';
import patchScimGroup from '../../functions/scim/patch-scim-group.ts';
import replaceScimGroup from '../../functions/scim/replace-scim-group.ts';
import deleteSsoConnection from '../../functions/sso-connections/delete-sso-connection.ts';
import updateSsoConnection from '../../functions/sso-connections/update-sso-connection.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import sendTicketMail from '../../functions/tickets/send-ticket-mail.ts';
import endImpersonation from '../../functions/users/end-impersonation.ts';
import readNotificationPreferences from '../../functions/users/read-notification-preferences.ts';
import resetFactors from '../../functions/users/reset-factors.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import unlinkIdentity from '../../functions/users/unlink-identity.ts';
import createView from '../../functions/views/create-view.ts';
import deleteView from '../../functions/views/delete-view.ts';
import updateView from '../../functions/views/update-view.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import listWebhookDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import setWebhookEvents from '../../functions/webhooks/set-webhook-events.ts';
import updateWebhook from '../../functions/webhooks/update-webhook.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { requireListed } from '../../shared/endpoints/contract.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { LoggedEvent } from '../../shared/events/schema.ts';
import { unnamedChange } from '../../shared/events/unnamed-change.ts';
import { signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import { eventKinds, happeningCatalogue, happenings } from '../../shared/resources/derived.ts';
import type { Happening } from '../../shared/resources/registry.ts';
import { draft, opened } from '../billing/world.ts';
import { addAddress } from '../correspondence/outgoing-world.ts';
import { plantMail } from '../correspondence/planted-mails.ts';
import { anEvent } from '../harness/an-event.ts';
import { call } from '../harness/call.ts';
import { clock } from '../harness/clock.ts';
import { responseValidatorOf } from '../harness/compiled.ts';
import { drain } from '../harness/drain.ts';
import { addFactor, challengeOf, codeOf } from '../harness/factors.ts';
import { member } from '../harness/member.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { actingAs } from '../impersonation/acting-as.ts';
import { everyChangeOfPayouts } from '../residuals/payouts/world.ts';
import { agree, posted, statementsOf } from '../residuals/posted.ts';
import { formatted, imported } from '../residuals/residual-files.ts';
import { happyPath } from '../routes/happy-paths.ts';
import { publishMailDomain } from '../routes/publish-domain.ts';
import { LyingProvider } from '../single-sign-on/provider.ts';
import { connected, holdDomain, signedIn } from '../single-sign-on/world.ts';
import { newTicketOf, newTypeOf } from '../tickets/new-tickets.ts';

const emitting = (await loadEndpoints())
  .map(({ endpoint }) => endpoint.contract)
  .filter(({ emits }) => emits?.includes('no_event_name'));

/** The happenings that jobs emit after a request. */
const ofJobs: readonly Happening[] = [
  'residual_file_imported',
  'residual_run_posted',
  'residual_run_reversed',
  'residual_statement_ready',
];

const unnamedEvents = async ({ admin }: Tenant, query: object = {}): Promise<LoggedEvent[]> =>
  (await admin.ok(listEvents, { query: { kind: ['no_event_name'], pageSize: 100, ...query } })).data;
const happeningIn = ({ data }: LoggedEvent) => data.happening;

/** The happenings that a mail causes, and no request. */
const ofMail: readonly Happening[] = [
  'mail_received',
  'mail_quarantined',
  'mail_sent',
  'mail_bounced',
  'mail_failed',
  'mail_attachments_stored',
  'mail_moved',
  'mail_released',
];

/** A page of the list that is read by cursor. */
interface Page {
  data: LoggedEvent[];
  nextCursor?: string | null;
}

/** The endpoints that send or change mails. */
const changingMails = [
  sendTicketMail,
  sendLeadMail,
  sendApplicationMail,
  moveMail,
  releaseMail,
  quarantineMail,
] as readonly Endpoint[];

/** Sends every request that emits `no_event_name`. */
async function everything(): Promise<Tenant> {
  const owner = await tenant();
  const { admin, accountId, adminEmail } = owner;

  const changed = { invoiceId: (await draft(owner)).id };
  await admin.ok(updateInvoice, { params: changed, body: { dueDate: '2030-01-31' } });
  await admin.ok(deleteInvoice, { params: changed });
  const { params: credited } = await opened(owner);
  await admin.ok(creditInvoice, {
    params: credited,
    body: { amount: 63, reason: 'One terminal was returned.' },
  });
  await admin.ok(writeOffInvoice, { params: credited });
  const { params: voided } = await opened(owner);
  await admin.ok(voidInvoice, { params: voided });

  const northwind = { name: 'Northwind Payments', active: true };
  const { secret = '' } = await admin.ok(savePaymentProvider, { body: northwind });
  const notify = (reference: string) => {
    const data = { invoiceNumber: 'INV-999999', amount: 1000, currency: 'USD', reference };
    const body = { type: 'payment.received', timestamp: clock.now().toISOString(), data };
    const bytes = Buffer.from(JSON.stringify(body));
    const headers = signedHeaders(bytes, [secret], `evt_${randomUUID()}`, clock.now());
    return call(receivePaymentNotice, { params: { accountId }, body, headers });
  };
  for (const reference of ['pi_1', 'pi_2']) expect((await notify(reference)).status).toBe(202);
  const [second, first] = (await admin.ok(listUnmatchedPayments)).data;
  const { params: paid } = await opened(owner);
  await admin.ok(assignUnmatchedPayment, { params: { unmatchedId: Number(first?.id) }, body: paid });
  await admin.ok(deleteUnmatchedPayment, { params: { unmatchedId: Number(second?.id) } });
  await admin.ok(savePaymentProvider, { body: { ...northwind, active: false } });
  await admin.ok(rotateProviderSecret, { body: {} });
  await admin.ok(deletePaymentProvider, {});

  const format = await formatted(owner);
  const ofFormat = { params: { id: format.id } };
  await admin.ok(updateResidualFormat, { ...ofFormat, body: { name: 'Another format' } });
  await imported(owner, 'MID,DBA,Volume,Income,Expense,Net\n4445012345678,Harbor,1,1,1,1\n');
  await admin.ok(deleteResidualFormat, ofFormat);

  const agent = { type: 'user' as const, id: String((await member(owner)).user.id) };
  const agreement = await agree(admin, { beneficiary: agent });
  await admin.ok(updateResidualAgreement, { params: { id: agreement.id }, body: { validFrom: '2026-02' } });
  const bonus = { kind: 'bonus' as const, beneficiary: agent, month: '2026-10', amount: 1_000_000 };
  const adjustment = await admin.ok(createResidualAdjustment, { body: bonus });
  const run = { params: { id: (await posted(admin)).id } };
  const [statement] = await statementsOf(admin);
  await admin.ok(approveResidualStatements, { body: { statementIds: [statement?.id ?? 0] } });
  await admin.ok(reverseResidualRun, run);
  await drain();
  await admin.ok(deleteResidualAdjustment, { params: { id: adjustment.id } });

  const ofBankAccount = { params: { id: 'checking' } };
  for (const name of ['Checking account', 'Main account'])
    await admin.ok(saveBankAccount, { ...ofBankAccount, body: { name, currency: 'USD' } });
  await admin.ok(deleteBankAccount, ofBankAccount);
  await everyChangeOfPayouts(owner);

  const { uniqueId: serviceTicketTypeId } = await newTypeOf(admin);
  const mapping = { partnerCategoryId: 31, partnerCategoryName: 'Hardware', serviceTicketTypeId };
  const { id: mappingId } = await admin.ok(createTicketTypeMapping, { body: mapping });
  const body = { ...mapping, partnerCategoryName: 'Software' };
  await admin.ok(replaceTicketTypeMapping, { params: { id: mappingId }, body });
  await admin.ok(deleteTicketTypeMapping, { params: { id: mappingId } });

  const connection = { url: 'https://93.184.216.34/private-path', active: true };
  await admin.ok(savePartnerConnection, { body: connection });
  await admin.ok(savePartnerConnection, { body: { ...connection, active: false } });
  await admin.ok(rotatePartnerSecret, { body: {} });
  await admin.ok(deletePartnerConnection, {});

  const view = {
    resource: 'lead',
    name: 'A private name',
    query: { source: 'Fair' },
    sharedWith: 'me',
  } as const;
  const { id } = await admin.ok(createView, { body: view });
  await admin.ok(updateView, { params: { id }, body: { name: 'Another private name' } });
  await admin.ok(deleteView, { params: { id } });

  const { user } = await member(owner, ['readLeads']);
  await actingAs(owner, user.email);
  await admin.ok(endImpersonation, { params: { email: user.email } });
  expect(adminEmail).not.toBe(user.email);

  const { client: session, user: ada } = await member(owner);
  const { factorId, secret: ofApp } = await addFactor(session);
  const challenge = await challengeOf({ user: ada, client: session });
  const wrong = String((Number(codeOf(ofApp)) + 1) % 1_000_000).padStart(6, '0');
  for (let n = 0; n < 5; n++) await call(verifyLogin, { body: { challenge, code: wrong } });
  const { recoveryCodes } = await session.ok(renewRecoveryCodes, {});
  clock.advance(60_000);
  await session.ok(stepUp, { body: { code: recoveryCodes[0], purpose: 'factors' } });
  for (let n = 0; n < 5; n++) await session.call(stepUp, { body: { code: wrong } });
  await session.ok(deleteFactor, { params: { factorId } });
  await admin.ok(resetFactors, { params: { email: ada.email } });

  const { id: roleId } = await admin.ok(createRole, {
    body: { name: 'Private role', flatPermissionsList: [] },
  });
  await admin.ok(saveProvisioning, { body: { groups: [{ displayName: 'Private group', roleId }] } });
  const group = { displayName: 'Another private group' };
  const { id: groupId } = await admin.ok(createScimGroup, { body: group });
  const ofGroup = { params: { id: groupId } };
  await admin.ok(replaceScimGroup, { ...ofGroup, body: { displayName: 'A private group' } });
  const rename = { op: 'replace', path: 'displayName', value: 'The private group' };
  await admin.ok(patchScimGroup, { ...ofGroup, body: { Operations: [rename] } });
  await admin.ok(deleteScimGroup, ofGroup);

  const provider = await LyingProvider.start();
  await holdDomain(owner, 'happenings.example.com');
  const own = { domains: ['happenings.example.com'], provisioning: true };
  const single = await connected(owner, provider, own);
  const email = 'grace@happenings.example.com';
  await signedIn(provider, single, { sub: 'grace', email, email_verified: true });
  await admin.ok(unlinkIdentity, { params: { email } });
  const ofSingle = { params: { id: single.id } };
  await admin.ok(updateSsoConnection, { ...ofSingle, body: { clientSecret: 'another secret' } });
  await admin.ok(deleteSsoConnection, ofSingle);

  const mailDomain = await admin.ok(createMailDomain, { body: { domain: 'mail.example.com' } });
  const ofDomain = { params: { id: mailDomain.id } };
  await publishMailDomain(mailDomain);
  await admin.ok(validateMailDomain, ofDomain);
  const support = { address: 'support@mail.example.com', purpose: 'tickets' } as const;
  const ofAddress = { params: { id: (await admin.ok(createMailAddress, { body: support })).id } };
  await admin.ok(updateMailAddress, { ...ofAddress, body: { name: 'Acme Support' } });
  await admin.ok(deleteMailAddress, ofAddress);
  await admin.ok(deleteMailDomain, ofDomain);
  const raw = { rawKey: 'mail/private-key', rawExpiresAt: '2099-01-01T00:00:00.000Z' };
  for (const endpoint of changingMails) await admin.call(endpoint, await happyPath(endpoint, owner));
  const mail = { commentsByMail: true, from: (await addAddress(owner)).id };
  await admin.ok(updateAccount, { params: { id: accountId }, body: { mail } });
  const { uniqueId: ticketId } = await newTicketOf(admin);
  await admin.ok(createTicketComment, { params: { ticketId }, body: { body: 'It is on its way.' } });
  await admin.ok(linkRawMail, { params: { mailId: (await plantMail(owner, raw)).id } });
  return owner;
}

const all = await everything();

describe('each endpoint that emits no_event_name', () => {
  test('names its happenings, and each declared happening has an endpoint', () => {
    const named = emitting.flatMap((contract) => contract.happenings ?? []);
    for (const { method, path, happenings: own = [] } of emitting)
      expect(own, `${method} ${path}`).not.toEqual([]);
    expect([...new Set([...named, ...ofMail, ...ofJobs])].sort()).toEqual(happenings.toSorted());
    expect(emitting.length).toBeGreaterThanOrEqual(22);
  });

  test('no other endpoint names a happening, and no happening has the name of a kind', async () => {
    const others = (await loadEndpoints()).filter(({ endpoint: { contract } }) => contract.happenings);
    expect(others.map(({ endpoint }) => endpoint.contract)).toEqual(emitting);
    for (const happening of happenings) {
      expect(eventKinds).not.toContain(happening);
      expect(happening.startsWith(`${happeningCatalogue[happening].resource}_`)).toBe(true);
    }
  });

  test('emits each of its happenings, with the detail that the happening declares', async () => {
    const events = await unnamedEvents(all);
    for (const { kind, data } of events) {
      const happening = data.happening as Happening;
      const { resource, change, schema: response } = happeningCatalogue[happening];
      expect({ kind, ...data }).toMatchObject({ kind: 'no_event_name', resource, change });
      const contract = {
        method: 'GET',
        path: `/${happening}`,
        access: 'public',
        summary: happening,
      } as const;
      const validate = responseValidatorOf({ ...contract, response });
      expect(validate(data.detail) ? [] : validate.errors, happening).toEqual([]);
    }
    const sentByJobs = events.filter(({ request }) => request.method === 'SCHEDULE').map(happeningIn);
    expect(sentByJobs).toEqual(expect.arrayContaining([...ofJobs]));
    for (const { method, path, happenings: own = [] } of emitting) {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const sent = events.filter(({ request }) => request.method === method && pattern.test(request.path));
      expect([...new Set(sent.map(happeningIn))].sort(), `${method} ${path}`).toEqual(own.toSorted());
    }
  });

  test('gives what a subscriber needs, and neither secrets nor the content of private records', async () => {
    const events = await unnamedEvents(all);
    const detailOf = (happening: Happening) =>
      events.find((event) => happeningIn(event) === happening)?.data.detail;
    const number = expect.stringMatching(/^INV-/);
    const invoice = { customerType: 'merchant', customerId: expect.any(String), currency: 'USD', number };
    const open = { ...invoice, status: 'open', total: 27_063, dueDate: expect.any(String) };
    expect(detailOf('invoice_opened')).toEqual({ ...open, amountDue: 27_063 });
    expect(detailOf('invoice_voided')).toEqual({ ...open, status: 'void', amountDue: 0 });
    const reason = 'One terminal was returned.';
    expect(detailOf('invoice_credited')).toEqual({ ...open, amountDue: 27_000, amount: 63, reason });
    const writtenOff = { status: 'uncollectible', amountDue: 0, amount: 27_000 };
    expect(detailOf('invoice_written_off')).toEqual({ ...open, ...writtenOff });
    expect(detailOf('unmatched_payment_assigned')).toEqual({
      ...{ notice: 'payment.received', reason: 'unknown_invoice', invoiceNumber: 'INV-999999' },
      ...{ amount: 1000, currency: 'USD', reference: 'pi_1', invoiceId: expect.any(Number) },
    });
    expect(detailOf('payment_provider_secret_rotated')).toEqual({
      name: 'Northwind Payments',
      active: false,
    });
    expect(detailOf('bank_account_updated')).toEqual({
      ...{ name: 'Main account', bankAccount: 'checking', currency: 'USD' },
    });
    expect(detailOf('partner_connection_updated')).toEqual({ host: '93.184.216.34', active: false });
    expect(detailOf('impersonation_ended')).toMatchObject({ startedBy: all.adminEmail, write: false });
    expect(JSON.stringify(events)).not.toMatch(/whsec_|private|Fair/);
  });

  test('fails if the contract does not name the happening', () => {
    const contract = { method: 'POST', path: '/views', emits: ['no_event_name'] } as const;
    const events = unnamedChange(
      all.accountId,
      'view_created',
      { id: 7 },
      { list: 'lead', sharedWith: 'me' },
    );
    requireListed({ ...contract, happenings: ['view_created'] }, events);
    for (const wrong of [contract, { ...contract, happenings: ['view_deleted'] as const }])
      expect(() => requireListed(wrong, events)).toThrow(
        /emits view_created, which its contract does not list/,
      );
    expectTypeOf<'view_created'>().toExtend<Happening>();
    expectTypeOf<'view_lost'>().not.toExtend<Happening>();
  });
});

test('GET /event-kinds lists the happenings of no_event_name with the schema of their detail', async () => {
  const { data } = await all.admin.ok(listEventKinds);
  const listed = data
    .filter((entry) => entry.happenings)
    .map(({ kind, happenings: own = [] }) => ({ kind, own }));
  expect(listed.map(({ kind }) => kind)).toEqual(['no_event_name']);
  expect(listed[0]?.own.map(({ happening }) => happening)).toEqual(happenings);
  expect(listed[0]?.own.find(({ happening }) => happening === 'invoice_opened')).toMatchObject({
    resource: 'invoice',
    change: 'updated',
    description: 'A draft was opened and got its number.',
    schema: { type: 'object', properties: { number: { type: 'string' }, amountDue: { type: 'integer' } } },
  });
});

describe('GET /events?happening=', () => {
  test('finds the events of these happenings, together with other filters', async () => {
    const found = async (query: object) => (await unnamedEvents(all, query)).map(happeningIn);
    expect(await found({ happening: ['invoice_voided'] })).toEqual(['invoice_voided']);
    expect(await found({ happening: ['invoice_voided', 'view_deleted'] })).toEqual([
      'view_deleted',
      'invoice_voided',
    ]);
    expect(await found({ happening: ['invoice_voided'], kind: ['lead_created'] })).toEqual([]);
    expect(await found({ happening: ['invoice_voided'], actor: 'somebody@example.com' })).toEqual([]);
    expect(await found({ happening: ['invoice_voided'], since: clock.now().toISOString() })).toEqual([]);
  });

  test('counts and pages the found events, by page and by cursor', async () => {
    const query = { happening: ['invoice_opened' as const], pageSize: 1 };
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => all.admin.ok(listEvents, { query: { ...query, page } })),
    );
    expect(pages.map(({ data, totalCount }) => [data.length, totalCount])).toEqual([
      ...[
        [1, 3],
        [1, 3],
        [1, 3],
      ],
      [0, 3],
    ]);
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
    const byCursor: number[] = [];
    let cursor: string | null | undefined = '';
    while (typeof cursor === 'string') {
      const page: Page = await all.admin.ok(listEvents, { query: { ...query, cursor } });
      byCursor.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    }
    expect(byCursor).toEqual(ids);
  });

  test.each(['lead_created', 'no_event_name', 'invoice_lost', '', 'constructor'])(
    'the value %j is rejected',
    async (value) => {
      const query = { happening: [value] } as never;
      const { status, body } = await all.admin.call(listEvents, { query });
      expect(status).toBe(400);
      expect(body).toMatchObject({
        error: 'invalid_input',
        details: [{ field: expect.stringMatching(/^happening/) }],
      });
    },
  );
});

test('an event from before happenings existed is listed without one, and no happening finds it', async () => {
  const owner = await tenant();
  const occurredAt = clock.now().toISOString();
  const data = { resource: 'view', change: 'updated' as const, recordId: 7 };
  const subject = { type: 'account' as const, id: owner.accountId };
  const old = anEvent({ accountId: owner.accountId, kind: 'no_event_name', subject, data, occurredAt });
  await commit({ writes: [], events: [old], deadline: Date.now() + 60_000 });
  expect((await unnamedEvents(owner)).map((event) => event.data)).toEqual([data]);
  expect(await unnamedEvents(owner, { happening: [...happenings] })).toEqual([]);
  await drain();
});

describe('a webhook with happenings', () => {
  const happens = async (owner: Tenant) => {
    const { params } = await opened(owner);
    await owner.admin.ok(voidInvoice, { params });
    await drain();
  };

  test('receives only the events no_event_name with these happenings, and the other kinds', async () => {
    const owner = await tenant();
    const [some, every] = [
      await receiver(behaviours.responds(200)),
      await receiver(behaviours.responds(200)),
    ];
    const events = ['no_event_name', 'invoice_created'];
    const body = { events, happenings: ['invoice_voided', 'invoice_voided'] };
    const made = await owner.admin.ok(createWebhook, { body: { ...body, url: some.url } });
    expect(made).toMatchObject({ events, happenings: ['invoice_voided'] });
    expect(await owner.admin.ok(createWebhook, { body: { events, url: every.url } })).not.toHaveProperty(
      'happenings',
    );
    await happens(owner);
    const names = ({ received }: typeof some) =>
      received
        .map(({ body: text }) => JSON.parse(text))
        .map(({ type, data }) => data.happening ?? type)
        .sort();
    expect(names(some)).toEqual(['invoice_created', 'invoice_voided']);
    expect(names(every)).toEqual(['invoice_created', 'invoice_opened', 'invoice_voided']);
    const { data } = JSON.parse(some.received.find(({ body: text }) => text.includes('voided'))?.body ?? '');
    expect(data).toMatchObject({ resource: 'invoice', change: 'updated', detail: { status: 'void' } });
    const { data: deliveries } = await owner.admin.ok(listWebhookDeliveries, { params: { id: made.id } });
    expect(deliveries.map(({ event, happening }) => [event, happening])).toEqual([
      ['no_event_name', 'invoice_voided'],
      ['invoice_created', undefined],
    ]);
  });

  test('receives the happening also in a thin payload', async () => {
    const owner = await tenant();
    const to = await receiver(behaviours.responds(200));
    const body = { url: to.url, events: ['no_event_name'], payload: 'thin' as const };
    await owner.admin.ok(createWebhook, { body });
    await happens(owner);
    const found = to.received.map(({ body: text }) => JSON.parse(text).data);
    expect(found.map((data) => Object.keys(data))).toEqual(Array(2).fill(['actor', 'happening', 'subject']));
  });

  test('can change them, and loses them with the kind', async () => {
    const owner = await tenant();
    const url = 'http://127.0.0.1:9/';
    const events = ['no_event_name'];
    const { id } = await owner.admin.ok(createWebhook, {
      body: { url, events, happenings: ['view_created'] },
    });
    const params = { id };
    const changed = async (body: object) => {
      const { events: kinds, happenings: own } = await owner.admin.ok(updateWebhook, { params, body });
      return [kinds, own];
    };
    expect(await changed({ description: 'Other' })).toEqual([events, ['view_created']]);
    expect(await changed({ happenings: ['view_deleted'] })).toEqual([events, ['view_deleted']]);
    expect(await changed({ happenings: null })).toEqual([events, undefined]);
    expect(await changed({ happenings: ['view_deleted'] })).toEqual([events, ['view_deleted']]);
    expect(await changed({ events: ['lead_created'] })).toEqual([['lead_created'], undefined]);
    const body = { events, happenings: ['view_created'] };
    expect(await owner.admin.ok(setWebhookEvents, { params, body })).toEqual({ id, ...body });
    expect(await owner.admin.ok(setWebhookEvents, { params, body: { events } })).toEqual({ id, events });
  });

  test('rejects unknown happenings, and happenings without the kind', async () => {
    const url = 'http://127.0.0.1:9/';
    const rejected = async (events: string[], own: string[]) => {
      const sent = { body: { url, events, happenings: own } };
      const { status, body } = await all.admin.call(createWebhook, sent);
      return [status, (body as { details?: object[] }).details];
    };
    const message = 'invoice_lost is not a happening: see GET /event-kinds';
    expect(await rejected(['no_event_name'], ['invoice_opened', 'invoice_lost'])).toEqual([
      400,
      [{ field: 'happenings[1]', message }],
    ]);
    const needed = 'must be omitted, because events does not contain no_event_name';
    expect(await rejected(['lead_created'], ['invoice_opened'])).toEqual([
      400,
      [{ field: 'happenings', message: needed }],
    ]);
    expect((await rejected(['no_event_name'], []))[0]).toBe(400);
  });

  test('gets further happenings only from a caller who may read the kind', async () => {
    const owner = await tenant();
    const { client } = await member(owner, ['writeWebhooks', 'readWebhooks']);
    const events = ['no_event_name'];
    const own = ['view_created', 'view_deleted'];
    const body = { url: 'http://127.0.0.1:9/', events, happenings: own };
    const { id } = await owner.admin.ok(createWebhook, { body });
    const params = { id };
    const status = async (change: object) =>
      (await client.call(updateWebhook, { params, body: change })).status;
    expect(await status({ happenings: ['view_created'] })).toBe(200);
    expect(await status({ happenings: own })).toBe(403);
    expect(await status({ happenings: null })).toBe(403);
    expect((await client.call(setWebhookEvents, { params, body: { events } })).status).toBe(403);
  });

  test('does not get a waiting delivery of a happening that was removed', async () => {
    const owner = await tenant();
    const to = await receiver(behaviours.responds(500));
    const body = { url: to.url, events: ['no_event_name'], happenings: ['invoice_voided', 'invoice_opened'] };
    const { id } = await owner.admin.ok(createWebhook, { body });
    await happens(owner);
    await owner.admin.ok(updateWebhook, { params: { id }, body: { happenings: ['invoice_opened'] } });
    to.behave(behaviours.responds(200));
    clock.advance(600_000);
    await drain();
    const { data } = await owner.admin.ok(listWebhookDeliveries, { params: { id } });
    const status = Object.fromEntries(data.map((one) => [one.happening, one.status]));
    expect(status).toEqual({ invoice_voided: 'cancelled', invoice_opened: 'delivered' });
    clock.reset();
  });
});

describe('a notification rule with happenings', () => {
  const ruleOf = (own?: Happening[]) => ({
    event: 'no_event_name' as const,
    deliveryPref: ['website' as const],
    ...(own && { happenings: own }),
  });

  test('notifies of these happenings only, with a text that names the happening and the record', async () => {
    const owner = await tenant();
    const ada = await member(owner, ['readInvoices', 'readNotifications']);
    const bob = await member(owner, ['readInvoices', 'readNotifications']);
    const set = async ({ user, client }: typeof ada, rule: object) => {
      const params = { email: user.email };
      await client.ok(setNotificationPreferences, { params, body: [rule] as never });
      expect((await client.ok(readNotificationPreferences, { params })).data).toEqual([rule]);
    };
    await set(ada, ruleOf(['invoice_voided', 'view_created']));
    await set(bob, ruleOf());
    // The first event is decided by the users' records, and the second by the rows of the subscriber index.
    for (const n of [1, 2]) {
      const { params, invoice } = await opened(owner);
      await owner.admin.ok(voidInvoice, { params });
      await drain();
      const inboxOf = async ({ client }: typeof ada) => (await client.ok(listNotifications)).data;
      const [found, more] = await Promise.all([inboxOf(ada), inboxOf(bob)]);
      expect(found).toHaveLength(n);
      expect(more).toHaveLength(2 * n);
      expect(found[0]).toMatchObject({
        event: 'no_event_name',
        notificationSubject: `Invoice voided: ${invoice.number}`,
        notificationBody: `${owner.adminEmail} voided the invoice ${invoice.number}.`,
        portalLink: `/invoices/${invoice.id}`,
        data: { happening: 'invoice_voided', recordId: invoice.id },
      });
      const other = more.find(({ id }) => id !== found[0]?.id);
      const reasons = await Promise.all(
        [found[0]?.id, other?.id].map(async (id) => {
          const sent = { params: { id: Number(id) }, query: { user: ada.user.email } };
          const { channels } = await owner.admin.ok(explainEvent, sent);
          return channels.find(({ channel }) => channel === 'website')?.reason;
        }),
      );
      expect(reasons).toEqual(['own_rule', 'no_rule']);
    }
  });

  test('is rejected for another event, an unknown happening and an empty list', async () => {
    const { user, client } = await member(all, ['readNotifications']);
    const status = async (rule: object) =>
      (
        await client.call(setNotificationPreferences, {
          params: { email: user.email },
          body: [rule] as never,
        })
      ).status;
    expect(await status({ ...ruleOf(['view_created']), event: 'lead_created' })).toBe(400);
    expect(await status(ruleOf(['view_lost' as Happening]))).toBe(400);
    expect(await status(ruleOf([]))).toBe(400);
    expect(await status(ruleOf(['view_created']))).toBe(200);
  });
});
