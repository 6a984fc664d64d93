import { describe, expect, test } from 'vitest';
import completeApplicationDocument from '../../functions/applications/complete-application-document.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationDocument from '../../functions/applications/create-application-document.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplicationDocument from '../../functions/applications/update-application-document.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import completeBankStatement from '../../functions/billing/complete-bank-statement.ts';
import saveBankAccount from '../../functions/billing/save-bank-account.ts';
import listDomains from '../../functions/domains/list-domains.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import saveExternalLead from '../../functions/extapi/save-external-lead.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import archiveLead from '../../functions/leads/archive-lead.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import createLookupOption from '../../functions/lookups/create-lookup-option.ts';
import createMailAddress from '../../functions/mail-addresses/create-mail-address.ts';
import listMailAddresses from '../../functions/mail-addresses/list-mail-addresses.ts';
import updateMailAddress from '../../functions/mail-addresses/update-mail-address.ts';
import listMailDomains from '../../functions/mail-domains/list-mail-domains.ts';
import validateMailDomain from '../../functions/mail-domains/validate-mail-domain.ts';
import completeMerchantDocument from '../../functions/merchants/complete-merchant-document.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMerchantDocument from '../../functions/merchants/create-merchant-document.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import updateMerchantDocument from '../../functions/merchants/update-merchant-document.ts';
import markNotification from '../../functions/notifications/mark-notification.ts';
import createResidualAdjustment from '../../functions/residual-adjustments/create-adjustment.ts';
import listResidualAdjustments from '../../functions/residual-adjustments/list-adjustments.ts';
import listResidualAgreements from '../../functions/residual-agreements/list-residual-agreements.ts';
import completeResidualFile from '../../functions/residual-files/complete-residual-file.ts';
import createResidualFile from '../../functions/residual-files/create-residual-file.ts';
import createResidualFormat from '../../functions/residual-formats/create-residual-format.ts';
import cancelPayout from '../../functions/residual-payouts/cancel-payout.ts';
import createPayout from '../../functions/residual-payouts/create-payout.ts';
import savePayoutAccount from '../../functions/residual-payouts/save-payout-account.ts';
import reverseResidualRun from '../../functions/residual-runs/reverse-residual-run.ts';
import approveResidualStatements from '../../functions/residual-statements/approve-statements.ts';
import listResidualStatements from '../../functions/residual-statements/list-residual-statements.ts';
import createTeam from '../../functions/teams/create-team.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import completeTicketDocument from '../../functions/tickets/complete-ticket-document.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import updateTicketDocument from '../../functions/tickets/update-ticket-document.ts';
import createUnderwritingRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import deleteUnderwritingRule from '../../functions/underwriting-rules/delete-underwriting-rule.ts';
import listUnderwritingRules from '../../functions/underwriting-rules/list-underwriting-rules.ts';
import toggleUnderwritingRule from '../../functions/underwriting-rules/toggle-underwriting-rule.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import readUser from '../../functions/users/read-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import createView from '../../functions/views/create-view.ts';
import setWebhookEvents from '../../functions/webhooks/set-webhook-events.ts';
import updateWebhook from '../../functions/webhooks/update-webhook.ts';
import { describedScan, putFile } from '../../infra/administration/upload-file.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { describedResiduals } from '../../infra/scenes/records.ts';
import type { StoredMail } from '../../shared/correspondence/mails/schema.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import { dayIn, daysAfter } from '../../shared/instant.ts';
import { nextBankingDay } from '../../shared/residuals/nacha/banking-days.ts';
import { customer, opened } from '../billing/world.ts';
import { plantMail } from '../correspondence/planted-mails.ts';
import { call } from '../harness/call.ts';
import { childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { completeApplication } from '../harness/filled-application.ts';
import { member } from '../harness/member.ts';
import { notify } from '../harness/notify.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { sealAll } from '../harness/seal-events.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { accountOf, agent, bank, storedStatement } from '../residuals/payouts/world.ts';
import { plainFormat } from '../residuals/plain-format.ts';
import { agree, posted, userOf } from '../residuals/posted.ts';
import { connected, holdDomain } from '../single-sign-on/world.ts';
import { happyPath } from './happy-paths.ts';
import { publishDomain, publishMailDomain } from './publish-domain.ts';
import { nameOf, plantUnmatched } from './records.ts';

type Row = Record<string, unknown>;

/** The JSON Schema keywords that this test reads. */
interface Schema {
  enum?: unknown[];
  format?: string;
  pattern?: string;
  maximum?: number;
  properties?: Record<string, Schema>;
  'x-sort-fields'?: string[];
}

const all = await loadEndpoints();
const parametersOf = ({ contract }: Endpoint): Record<string, Schema> =>
  (contract.query as Schema | undefined)?.properties ?? {};
const lists = all
  .filter(({ endpoint }) => 'pageSize' in parametersOf(endpoint))
  .map(({ endpoint }) => ({ path: endpoint.contract.path, endpoint }));

/** The parameters that are not filters by a field. The tests of lookups and merchants test `all` and `mid`. */
const common = ['page', 'pageSize', 'cursor', 'sort', 'search', 'updatedAfter', 'all', 'mid'];

/** Each list has a record from the example body, and one with other values. These fields need a certain other value. */
const otherValues: Record<string, (owner: Tenant) => Row | Promise<Row>> = {
  '/account-types': () => ({ permissions: ['readTeams'], limits: {} }),
  '/apikeys': () => ({ flatPermissionsList: undefined }),
  '/applications/{applicationId}/documents': () => ({ documentKey: 'other' }),
  '/domains': () => ({ domain: 'shop.example.org' }),
  '/mail-domains': () => ({ domain: 'shop.example.org' }),
  '/mail-addresses': () => ({ purpose: 'leads' }),
  '/invoices': async (owner) => ({ customerType: 'merchant', customerId: await customer(owner, 'Zebra') }),
  '/lead-rotations': () => ({ currentPosition: 0 }),
  '/ticket-rotations': () => ({ currentPosition: 0 }),
  '/tickets/{ticketId}/comments': () => ({ author: undefined }),
  '/tickets': ({ adminEmail }) => ({
    requesterType: 'user',
    requesterId: adminEmail,
    status: 'waiting_customer',
  }),
  '/users': () => ({ phone: '+14155550135' }),
  '/views': () => ({
    resource: 'ticket',
    query: { priority: 'urgent' },
    sort: 'subject',
    sharedWith: 'everyone',
  }),
  '/webhooks': () => ({
    url: 'http://127.0.0.1:9/other',
    events: ['lead_created'],
    payload: 'thin',
    active: false,
  }),
};

/** Creates more records of a list, with the path parameters of the list. */
type Preparation = (owner: Tenant, params: Row) => Promise<unknown>;

/** Uploads and completes a document with the API key. The other documents of the list have no file yet. */
const uploads =
  (create: Endpoint, complete: Endpoint, key: Row, review?: Endpoint): Preparation =>
  async ({ key: client }, params) => {
    const document = await client.ok(create, {
      params,
      body: { ...describedScan, name: 'reviewed.pdf', ...key },
    });
    await putFile(document);
    const { id: documentId } = document as { id: string };
    await client.ok(complete, { params: { ...params, documentId }, body: {} });
    if (review) await client.ok(review, { params: { ...params, documentId }, body: { status: 'approved' } });
  };

async function completeAnApplication(owner: Tenant): Promise<void> {
  const { id: applicationId } = await owner.admin.ok(createApplication, { body: completeApplication });
  const sent = { params: { applicationId }, query: { includeFullResponse: true } };
  const { documentRequirements } = await owner.admin.ok(readApplication, sent);
  for (const { key: documentKey } of documentRequirements?.requiredDocuments ?? [])
    await uploads(createApplicationDocument, completeApplicationDocument, { documentKey })(
      owner,
      sent.params,
    );
}

/** Stores mails that differ in all fields of lists. */
const plantMails =
  (fields: Partial<StoredMail>) =>
  async (owner: Tenant): Promise<void> => {
    const first = await plantMail(owner, fields);
    clock.advance(60_000);
    const from = { address: 'ben@example.com' };
    const sentAt = clock.now().toISOString();
    const sent = { direction: 'outgoing', state: 'sent', from, subject: 'Paper', sentAt } as const;
    await plantMail(owner, { recordType: 'lead', recordId: '7', ...fields, ...sent, text: 'New paper' });
    clock.advance(60_000);
    await plantMail(owner, {
      ...fields,
      state: 'held',
      from,
      subject: 'Another',
      updatedAt: first.createdAt,
    });
  };

/** Adds records that differ in the fields in which the first two records of a list are equal. */
const added: Record<string, Preparation> = {
  '/sso-connections': async (owner) => {
    const domain = `${owner.accountId.replaceAll('_', '-')}.example.com`;
    await holdDomain(owner, domain);
    const provider = { issuer: 'https://enforced.example.com' };
    await connected(owner, provider, { domains: [domain], enforced: true });
  },
  '/domains': async ({ admin }) => {
    const [domain] = (await admin.ok(listDomains)).data;
    if (!domain) throw new Error('The list has no domain.');
    await publishDomain(domain);
    await admin.ok(validateDomain, { params: { id: domain.id } });
  },
  '/accounts/children': async (owner) => {
    await childAccount(owner);
    await childAccount(owner);
  },
  '/underwriting-rules': async ({ admin }) => {
    const { data } = await admin.ok(listUnderwritingRules);
    const params = { id: data[0]?.id ?? 0 };
    await admin.ok(toggleUnderwritingRule, { params, body: { mode: 'shadow' } });
    const body = { name: 'Archived', when: { collisions: 1 }, action: { kind: 'approve' } } as const;
    const { id } = await admin.ok(createUnderwritingRule, { body });
    await admin.ok(deleteUnderwritingRule, { params: { id } });
  },
  '/applications': async (owner) => {
    const { admin, adminEmail } = owner;
    const lead = { firstName: 'Ada', lastName: 'Byron', company: 'Harbor' };
    const { id: leadId } = await admin.ok(createLead, { body: lead });
    const { application } = await admin.ok(convertLead, { params: { leadId } });
    const params = { applicationId: application.id };
    await admin.ok(updateUnderwriting, { params, body: { priority: 'high', assignedTo: adminEmail } });
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Owners' } });
    await admin.ok(setApplicationOwner, { params, body: { teamId } });
    await admin.ok(submitApplication, { params });
    await admin.ok(decideApplication, { params, body: { decision: 'approved' } });
    await completeAnApplication(owner);
    await admin.ok(saveExternalApplication, { body: { externalId: 'A-1' } });
  },
  '/applications/{applicationId}/documents': uploads(
    createApplicationDocument,
    completeApplicationDocument,
    { documentKey: 'other' },
    updateApplicationDocument,
  ),
  '/events': async ({ key }) => {
    await key.ok(createTeam, { body: { name: 'Field' } });
    const view = { resource: 'lead', name: 'All', query: {}, sharedWith: 'everyone' } as const;
    await key.ok(createView, { body: view });
  },
  '/events/seals': async ({ accountId, admin }) => {
    await sealAll(accountId);
    clock.advance(60_000);
    await admin.ok(createTeam, { body: { name: 'Field' } });
    await sealAll(accountId);
  },
  '/lead-rotations': async ({ admin, adminEmail }) => {
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Field' } });
    const { email } = await admin.ok(readUser, { params: { email: adminEmail } });
    await admin.ok(updateUser, { params: { email }, body: { teamId } });
    const userRotationArray = [{ userId: adminEmail, weight: 1 }];
    await admin.ok(createLeadRotation, { body: { name: 'Of a team', teamId, userRotationArray } });
  },
  '/lead-sources': async ({ admin }) => {
    for (const name of ['Field', 'Phone']) {
      const { id: teamId } = await admin.ok(createTeam, { body: { name } });
      await admin.ok(createLeadSource, { body: { name: `Of ${name}`, teamId } });
    }
  },
  '/leads': async ({ admin, adminEmail }) => {
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Field' } });
    const { id: leadSourceId } = await admin.ok(createLeadSource, { body: { name: 'Fair', teamId } });
    const body = { firstName: 'Ada', lastName: 'Byron', teamId, leadSourceId, assignedTo: adminEmail };
    const { id: leadId } = await admin.ok(createLead, { body });
    await admin.ok(archiveLead, { params: { leadId } });
    const converted = await admin.ok(createLead, { body: { ...body, email: 'ada@harbor.example' } });
    await admin.ok(convertLead, { params: { leadId: converted.id } });
    const external = { externalId: 'L-1', firstName: 'Ada', lastName: 'Byron' };
    await admin.ok(saveExternalLead, { body: external });
  },
  '/lookup/{table}/{field}': async ({ admin }, params) => {
    const option = { value: 'cafe', group_name: 'Food', locale: 'fr', is_active: false };
    const { lookupValue } = await admin.ok(createLookupOption, { params, body: option } as never);
    const { id: parent_id } = lookupValue;
    await admin.ok(createLookupOption, { params, body: { value: 'bakery', parent_id } } as never);
  },
  '/merchants': async (owner) => {
    const { admin } = owner;
    await added['/applications']?.(owner, {});
    await admin.ok(createMerchant, { body: { merchantName: 'Of an agent', agentAccountId: 'agent-7' } });
  },
  '/merchants/{merchantId}/documents': uploads(
    createMerchantDocument,
    completeMerchantDocument,
    { type: 'contract' },
    updateMerchantDocument,
  ),
  '/notifications': async ({ accountId: account, adminEmail: email, admin }) => {
    const of = { account, email };
    await notify(of, { kind: 'webhook_delivery_failed', subject: { type: 'webhook', id: 1 }, data: {} });
    clock.advance(60_000);
    const id = await notify(of, { kind: 'lead_created' });
    await admin.ok(markNotification, { params: { id }, body: { markedRead: true } });
  },
  '/invoices': async (owner) => {
    for (const [dueDate, unitAmount] of [['2026-01-31', 100] as const, ['2026-02-28', 200] as const])
      await opened(owner, { dueDate, lines: [{ description: 'Fee', quantity: 1, unitAmount }] });
  },
  '/billing/bank-accounts': async ({ admin }) => {
    const body = { name: 'Savings', currency: 'EUR' };
    await admin.ok(saveBankAccount, { params: { id: 'savings' }, body });
    clock.advance(60_000);
    await admin.ok(saveBankAccount, { params: { id: 'other' }, body: { ...body, currency: 'USD' } });
    await admin.ok(saveBankAccount, { params: { id: 'savings' }, body: { ...body, name: 'Deposits' } });
  },
  '/residual-payouts': async (owner) => {
    clock.advance(60_000);
    const ada = await agent(owner);
    const effectiveDate = nextBankingDay(daysAfter(dayIn('UTC', clock.now()), 14));
    const { id: statementId } = await storedStatement(owner, ada.id);
    const body = { format: 'csv' as const, statementIds: [statementId], effectiveDate };
    const { id } = await owner.admin.ok(createPayout, { body });
    clock.advance(60_000);
    await owner.admin.ok(cancelPayout, { params: { id } });
  },
  '/payout-accounts': async (owner) => {
    await agent(owner);
    clock.advance(60_000);
    const ada = await agent(owner, { holderName: 'Northwind Agents', holderType: 'company' });
    clock.advance(60_000);
    await owner.admin.ok(savePayoutAccount, {
      params: { id: accountOf(ada.id) },
      body: { ...bank, holderName: 'Southwind Agents', holderType: 'company' },
    });
  },
  '/billing/bank-statements/{id}/transactions': async (owner, params) => {
    await opened(owner, { customerId: await customer(owner) });
    await owner.admin.ok(completeBankStatement, { params: params as { id: number } });
  },
  '/residual-files': async ({ admin }) => {
    const body = { ...describedResiduals('MID,Net\n1,2\n'), processor: 'Harbor', month: '2026-09' };
    await admin.ok(createResidualFile, { body: { ...body, fileName: 'september.csv' } });
    const refused = describedResiduals('a');
    const file = await admin.ok(createResidualFile, { body: refused });
    await putFile(file, 'a');
    await admin.ok(completeResidualFile, { params: { id: file.id }, body: {} });
    await drain();
  },
  '/residual-files/{id}/rows': async ({ admin }, params) => {
    await admin.ok(createResidualFormat, { body: plainFormat() });
    await admin.ok(completeResidualFile, { params: params as { id: number }, body: {} });
    await drain();
  },
  '/residual-agreements': async ({ admin }) => {
    const { beneficiary } = (await admin.ok(listResidualAgreements)).data[0] ?? {};
    if (!beneficiary) throw new Error('The list has no agreement.');
    await agree(admin, { beneficiary, scope: { mid: 'another' }, validFrom: '2026-05' });
  },
  '/residual-adjustments': async ({ admin }) => {
    const { beneficiary } = (await admin.ok(listResidualAdjustments)).data[0] ?? {};
    if (!beneficiary) throw new Error('The list has no adjustment.');
    const fee = { kind: 'fee' as const, beneficiary, amount: 1_000_000, month: '2024-01', mid: '1' };
    await admin.ok(createResidualAdjustment, { body: { ...fee, reason: 'Terminal' } });
    await posted(admin, '2024-01');
    await admin.ok(createResidualAdjustment, { body: { ...fee, mid: '2', reason: 'Paper' } });
  },
  '/residual-runs': async ({ admin }) => {
    await posted(admin, '2024-01');
  },
  '/residual-statements': async (owner) => {
    const { admin } = owner;
    for (const [name, month] of [
      ['Ben', '2024-02'],
      ['Zoe', '2024-01'],
    ] as const) {
      const { user } = await member(owner, [], { name });
      const beneficiary = userOf({ user });
      const bonus = { kind: 'bonus' as const, beneficiary, amount: 1_000_000, month };
      await admin.ok(createResidualAdjustment, { body: bonus });
    }
    await posted(admin, '2024-02');
    const { id } = await posted(admin, '2024-01');
    const [statement] = (await admin.ok(listResidualStatements)).data;
    await admin.ok(approveResidualStatements, { body: { statementIds: [statement?.id ?? 0] } });
    await admin.ok(reverseResidualRun, { params: { id } });
    await drain();
  },
  '/residual-formats': async ({ admin }) => {
    const body = { ...plainFormat(), name: 'Harbor residuals', processor: 'Harbor' };
    await admin.ok(createResidualFormat, { body });
  },
  '/billing/unmatched-payments': async ({ accountId }) => {
    await plantUnmatched(accountId, { amount: 20 });
    clock.advance(60_000);
    const other = { reason: 'payment_exceeds_due', notice: 'payment.refunded' } as const;
    const occurredAt = '2026-01-01T00:00:00.000Z';
    await plantUnmatched(accountId, { ...other, occurredAt, invoiceNumber: 'INV-000001' });
  },
  '/mail-domains': async ({ admin }) => {
    const [domain] = (await admin.ok(listMailDomains)).data;
    if (!domain) throw new Error('The list has no mail domain.');
    await publishMailDomain(domain);
    await admin.ok(validateMailDomain, { params: { id: domain.id } });
  },
  '/mail-addresses': async ({ admin }) => {
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Support' } });
    const [first] = (await admin.ok(listMailAddresses)).data;
    const domain = first?.address.split('@')[1];
    const body = { address: `a@${domain}`, purpose: 'leads', teamId, name: 'A name' } as const;
    await admin.ok(createMailAddress, { body });
    clock.advance(60_000);
    const { id } = await admin.ok(createMailAddress, {
      body: { ...body, address: `b@${domain}`, name: 'B' },
    });
    clock.advance(60_000);
    await admin.ok(updateMailAddress, { params: { id }, body: { name: 'Another name' } });
  },
  '/mails': plantMails({}),
  '/tickets/{ticketId}/mails': (owner, { ticketId }) =>
    plantMails({ recordType: 'ticket', recordId: String(ticketId) })(owner),
  '/leads/{leadId}/mails': (owner, { leadId }) =>
    plantMails({ recordType: 'lead', recordId: String(leadId) })(owner),
  '/applications/{applicationId}/mails': (owner, { applicationId }) =>
    plantMails({ recordType: 'application', recordId: String(applicationId) })(owner),
  '/teams': ({ admin }) => admin.ok(createTeam, { body: { name: 'Field' } }),
  '/ticket-rotations': async ({ admin, adminEmail }) => {
    const type = { name: 'Fault', description: 'Of a terminal', category: 'technical' } as const;
    const { uniqueId: ticketTypeId } = await admin.ok(createTicketType, { body: type });
    const userRotationArray = [{ userId: adminEmail, weight: 1 }];
    await admin.ok(createTicketRotation, { body: { name: 'Of a type', ticketTypeId, userRotationArray } });
  },
  '/ticket-types': async ({ admin, adminEmail }) => {
    const userRotationArray = [{ userId: adminEmail, weight: 1 }];
    const { uniqueId: rotationId } = await admin.ok(createTicketRotation, {
      body: { name: 'Everybody', userRotationArray },
    });
    const type = { name: 'Fault', description: 'Of a terminal', category: 'technical' } as const;
    await admin.ok(createTicketType, { body: { ...type, rotationId } });
  },
  '/tickets': async ({ admin, key, adminEmail }) => {
    const type = { name: 'Fault', description: 'Of a terminal', category: 'technical' } as const;
    const { uniqueId: ticketTypeId } = await admin.ok(createTicketType, { body: type });
    const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor' } });
    const { id: midId } = await admin.ok(createMid, {
      params: { merchantId },
      body: { mid: '4445012340001' },
    });
    const { id: leadId } = await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
    const { id: applicationId } = await admin.ok(createApplication);
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Field' } });
    const links = { merchantId, midId, leadId, applicationId };
    const assigned = { assignedTo: adminEmail, assignedTeamId: teamId, ticketTypeId, tags: ['Paper'] };
    const { uniqueId } = await key.ok(createTicket, {
      body: {
        subject: 'No receipt',
        description: 'Since noon',
        requesterType: 'merchant',
        requesterId: String(merchantId),
        requesterEmail: 'ada@harbor.example',
        ...links,
        ...assigned,
      },
    });
    const requester = { requesterType: 'external', requesterId: 'c-7', requesterName: 'Ada Byron' } as const;
    const other = {
      category: 'technical',
      priority: 'urgent',
      requesterEmail: 'ada@harbor.example',
    } as const;
    await key.ok(createTicket, {
      body: { subject: 'No paper', description: 'Since noon', ...requester, ...other },
    });
    const params = { ticketId: uniqueId };
    await admin.ok(createTicketComment, { params, body: { body: 'Which lamp is on?' } });
    await key.ok(createTicketComment, {
      params,
      body: { body: 'The red one.', authorType: 'customer', author: 'Ada Byron' },
    });
  },
  '/tickets/{ticketId}/documents': uploads(
    createTicketDocument,
    completeTicketDocument,
    { type: 'photo' },
    updateTicketDocument,
  ),
  '/users': async (owner) => {
    const { user } = await member(await tenant());
    await owner.admin.ok(addUserToAccount, { params: { email: user.email }, body: {} });
    const { id: teamId } = await owner.admin.ok(createTeam, { body: { name: 'Field' } });
    await member(owner, [], { teamId });
  },
  '/users/{email}/impersonations': async (owner, params) => {
    const of = { params: params as { email: string } };
    await owner.admin.ok(impersonateUser, { ...of, body: { reason: 'An empty list' } });
    const { user, client } = await member(owner);
    await owner.admin.ok(updateUser, { params: { email: user.email }, body: { accountAdmin: true } });
    await client.ok(impersonateUser, { ...of, body: { reason: 'A wrong total', write: true } });
  },
  '/views': ({ admin }) =>
    admin.ok(createView, {
      body: { resource: 'lead', name: 'Archived leads', query: { archived: true }, sharedWith: 'me' },
    }),
  '/webhooks/{id}/deliveries': async ({ admin }, params) => {
    await admin.ok(setWebhookEvents, { params, body: { events: ['lead_created', 'team_created'] } } as never);
    await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
    await drain();
    const { url } = await receiver(behaviours.responds(200));
    await admin.ok(updateWebhook, { params, body: { url } } as never);
    await admin.ok(createTeam, { body: { name: 'Field' } });
  },
};

/** Fields in which the records of a list cannot differ. */
const constant: Record<string, string[]> = {
  // An inbox contains the notifications of one user in one account, and lists either read or unread notifications.
  '/notifications': ['user', 'account_id', 'markedRead'],
};

/** The queries that together return all records of a list. By default, a list without a query returns all records. */
const wholeList: Record<string, Row[]> = {
  '/underwriting-rules': [{}, { archived: true }],
  '/lookup/{table}/{field}': [{ all: true }],
  '/notifications': [{}, { markedRead: true }],
};

/** A filter that does not compare the field of its name. */
interface OwnFilter {
  fieldOf(row: Row): unknown;
  selects(row: Row, value: unknown): boolean;
}

const timeOf = ({ occurredAt, to, created }: Row): unknown => occurredAt ?? to ?? created;
const equals = (fieldOf: OwnFilter['fieldOf']): OwnFilter => ({
  fieldOf,
  selects: (row, value) => fieldOf(row) === value,
});
const isBefore = (fieldOf: OwnFilter['fieldOf']): OwnFilter => ({
  fieldOf,
  selects: (row, value) => fieldOf(row) !== undefined && String(fieldOf(row)) < String(value),
});
/** When a target is due whose clock is running. */
const dueIn = (due: string, time: string) => (row: Row) =>
  ['open', 'in_progress', 'waiting_internal'].includes(String(row.status)) && row[time] === undefined
    ? row[due]
    : undefined;
const ownFilters: Record<string, OwnFilter> = {
  createdFrom: {
    fieldOf: ({ createdAt }) => createdAt,
    selects: ({ createdAt }, value) => String(createdAt) >= String(value),
  },
  createdTo: isBefore(({ createdAt }) => createdAt),
  dueBefore: isBefore(({ dueDate }) => dueDate),
  dueAfter: {
    fieldOf: ({ dueDate }) => dueDate,
    selects: ({ dueDate }, value) => dueDate !== undefined && String(dueDate) > String(value),
  },
  lastContactedBefore: isBefore(({ lastContacted, createdAt }) => lastContacted ?? createdAt),
  slaFirstResponseDueBefore: isBefore(dueIn('slaFirstResponseDue', 'firstResponseTime')),
  slaResolutionDueBefore: isBefore(dueIn('slaResolutionDue', 'resolutionTime')),
  since: { fieldOf: timeOf, selects: (row, value) => String(timeOf(row)) > String(value) },
  until: { fieldOf: timeOf, selects: (row, value) => String(timeOf(row)) <= String(value) },
  subjectType: equals(({ subject }) => (subject as Row).type),
  subjectId: equals(({ subject }) => (subject as Row).id),
  actor: equals(({ actor }) => (actor as Row).user),
  happening: equals(({ data }) => (data as Row).happening),
};

/** Returns another value that the schema allows. Returns the same value if the schema has a pattern or an enum of one. */
function otherValue(schema: Schema, value: unknown): unknown {
  if (schema.enum) return schema.enum.find((one) => one !== value) ?? value;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number')
    return value < (schema.maximum ?? Number.POSITIVE_INFINITY) ? value + 1 : value - 1;
  if (typeof value !== 'string' || schema.pattern) return value;
  if (/^\d{4}-\d\d-\d\d/.test(value))
    return new Date(Date.parse(value) + 86_400_000)
      .toISOString()
      .slice(0, value.length > 10 ? undefined : 10);
  if (schema.format === 'email') return `other.${value}`;
  if (schema.format === 'uri') return `${value}/other`;
  return schema.format ? value : `Other ${value}`;
}

/** Creates two records in a list, by two callers, and the records of `added`. */
async function fill({ contract: { path } }: Endpoint, owner: Tenant, params: Row): Promise<void> {
  const create = all.find(({ endpoint }) => nameOf(endpoint.contract) === `POST ${path}`)?.endpoint;
  if (create) {
    const { query, body } = await happyPath(create, owner);
    await owner.admin.ok(create, { params, query, body });
    const { properties = {} } = create.contract.body as Schema;
    const other = Object.entries((await happyPath(create, owner)).body as Row).map(([name, value]) => [
      name,
      otherValue(properties[name] ?? {}, value),
    ]);
    const second = {
      params,
      query,
      body: { ...Object.fromEntries(other), ...(await otherValues[path]?.(owner)) },
    };
    const byAdministrator = path.startsWith('/lookup/') || create.contract.administratorOnly;
    await (byAdministrator ? owner.admin : owner.key).ok(create, second);
  }
  await added[path]?.(owner, params);
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true });

/** Reports whether the values are in ascending order. Values of an enum have the order of the enum. */
function isAscending(values: readonly unknown[], ranks: readonly unknown[] | undefined): boolean {
  const compare = (one: unknown, other: unknown) => {
    if (ranks) return ranks.indexOf(one) - ranks.indexOf(other);
    if (typeof one === 'number' && typeof other === 'number') return one - other;
    return collator.compare(String(one), String(other));
  };
  return values.every((value, n) => n === 0 || compare(values[n - 1], value) <= 0);
}

describe('a list', () => {
  test.each(lists)(
    'GET $path filters and sorts by each field that its contract names',
    async ({ path, endpoint }) => {
      const owner = await tenant();
      const { params = {}, headers } = await happyPath(endpoint, owner);
      await fill(endpoint, owner, params as Row);
      await drain();
      const [usual = {}, ...others] = wholeList[path] ?? [];
      const rowsOf = async (query: Row): Promise<Row[]> => {
        const sent = { params, headers, query: { pageSize: 100, ...usual, ...query } };
        const { status, body } = await call(endpoint, sent as never);
        expect(status, JSON.stringify(body)).toBe(200);
        return Array.isArray(body) ? body : (body as unknown as { data: Row[] }).data;
      };
      const shown = await rowsOf({});
      const rows = [...shown, ...(await Promise.all(others.map(rowsOf))).flat()];
      for (const filter of Object.keys(parametersOf(endpoint)).filter((name) => !common.includes(name)))
        await checkFilter(filter, rows, async (value) => {
          const found = await Promise.all(
            [usual, ...others].map((query) => rowsOf({ ...query, [filter]: value })),
          );
          return found.flat();
        });
      for (const field of parametersOf(endpoint).sort?.['x-sort-fields'] ?? []) {
        if (!constant[path]?.includes(field)) requireDifference(field, shown);
        const { ranks } = endpoint.contract as { ranks?: Record<string, string[]> };
        const [up, down] = [await rowsOf({ sort: field }), await rowsOf({ sort: `-${field}` })];
        expect(isAscending(valuesIn(up, field), ranks?.[field]), field).toBe(true);
        expect(isAscending(valuesIn(down, field).reverse(), ranks?.[field]), `-${field}`).toBe(true);
        const isMissing = (row: Row) => row[field] === undefined || row[field] === null;
        for (const sorted of [up, down]) expect(sorted.map(isMissing)).toEqual(sorted.map(isMissing).sort());
      }
    },
  );
});

const valuesIn = (rows: readonly Row[], field: string): unknown[] =>
  rows.map((row) => row[field]).filter((value) => value !== undefined && value !== null);

function requireDifference(field: string, rows: readonly Row[]): void {
  const values = new Set(rows.map((row) => JSON.stringify(row[field])));
  expect(values.size, `Add a record with another ${field} to \`added\`.`).toBeGreaterThan(1);
}

/** Filters by a value that some records have and others do not, and compares the result. */
async function checkFilter(
  filter: string,
  rows: readonly Row[],
  filtered: (value: unknown) => Promise<Row[]>,
): Promise<void> {
  const { fieldOf, selects } = ownFilters[filter] ?? {
    fieldOf: (row: Row) => row[filter],
    selects: (row: Row, value: unknown) => [row[filter]].flat().includes(value),
  };
  const value = rows
    .flatMap((row) => fieldOf(row) ?? [])
    .find((one) => rows.some((row) => selects(row, one)) && rows.some((row) => !selects(row, one)));
  expect(value, `Add a record with another ${filter} to \`added\`.`).toBeDefined();
  const idsOf = (found: readonly Row[]) => [...new Set(found.map(({ id, number }) => id ?? number))].sort();
  expect(idsOf(await filtered(value)), filter).toEqual(idsOf(rows.filter((row) => selects(row, value))));
}
