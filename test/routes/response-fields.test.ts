import { createHash, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import accountClosings from '../../events/schedules/account-closings.ts';
import deleteAccount from '../../functions/accounts/delete-account.ts';
import listAccounts from '../../functions/accounts/list-accounts.ts';
import listChildAccounts from '../../functions/accounts/list-child-accounts.ts';
import readAccount from '../../functions/accounts/read-account.ts';
import readAccountExport from '../../functions/accounts/read-account-export.ts';
import reportChildAccount from '../../functions/accounts/report-child-account.ts';
import setChildPermissions from '../../functions/accounts/set-child-permissions.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApiKey from '../../functions/apikeys/create-api-key.ts';
import listApiKeys from '../../functions/apikeys/list-api-keys.ts';
import updateApiKey from '../../functions/apikeys/update-api-key.ts';
import assessRisk from '../../functions/applications/assess-risk.ts';
import completeApplicationDocument from '../../functions/applications/complete-application-document.ts';
import createApplication from '../../functions/applications/create-application.ts';
import createApplicationDocument from '../../functions/applications/create-application-document.ts';
import decideApplication from '../../functions/applications/decide-application.ts';
import listApplications from '../../functions/applications/list-applications.ts';
import readApplication from '../../functions/applications/read-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import setApplicationParticipants from '../../functions/applications/set-application-participants.ts';
import submitApplication from '../../functions/applications/submit-application.ts';
import updateApplication from '../../functions/applications/update-application.ts';
import updateApplicationDocument from '../../functions/applications/update-application-document.ts';
import updateUnderwriting from '../../functions/applications/update-underwriting.ts';
import readSession from '../../functions/auth/read-session.ts';
import startPasskeyLogin from '../../functions/auth/start-passkey-login.ts';
import stepUp from '../../functions/auth/step-up.ts';
import verifyLogin from '../../functions/auth/verify-login.ts';
import completeBankStatement from '../../functions/billing/complete-bank-statement.ts';
import createBankStatement from '../../functions/billing/create-bank-statement.ts';
import deleteBankAccount from '../../functions/billing/delete-bank-account.ts';
import listBankAccounts from '../../functions/billing/list-bank-accounts.ts';
import listBankStatementTransactions from '../../functions/billing/list-bank-statement-transactions.ts';
import listUnmatchedPayments from '../../functions/billing/list-unmatched-payments.ts';
import readAgeing from '../../functions/billing/read-ageing.ts';
import readBankAccount from '../../functions/billing/read-bank-account.ts';
import readBankStatement from '../../functions/billing/read-bank-statement.ts';
import readPaymentProvider from '../../functions/billing/read-payment-provider.ts';
import readStatement from '../../functions/billing/read-statement.ts';
import receivePaymentNotice from '../../functions/billing/receive-payment-notice.ts';
import rotateProviderSecret from '../../functions/billing/rotate-provider-secret.ts';
import saveBankAccount from '../../functions/billing/save-bank-account.ts';
import savePaymentProvider from '../../functions/billing/save-payment-provider.ts';
import activateDomain from '../../functions/domains/activate-domain.ts';
import readDomain from '../../functions/domains/read-domain.ts';
import requestDomain from '../../functions/domains/request-domain.ts';
import validateDomain from '../../functions/domains/validate-domain.ts';
import explainEvent from '../../functions/events/explain-event.ts';
import listEvents from '../../functions/events/list-events.ts';
import proveEvent from '../../functions/events/prove-event.ts';
import readExternalApplication from '../../functions/extapi/read-external-application.ts';
import saveExternalApplication from '../../functions/extapi/save-external-application.ts';
import saveExternalLead from '../../functions/extapi/save-external-lead.ts';
import saveExternalLeads from '../../functions/extapi/save-external-leads.ts';
import submitExternalApplication from '../../functions/extapi/submit-external-application.ts';
import createTicketTypeMapping from '../../functions/integrations/create-ticket-type-mapping.ts';
import readPartnerConnection from '../../functions/integrations/read-partner-connection.ts';
import rotatePartnerSecret from '../../functions/integrations/rotate-partner-secret.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import createInvoice from '../../functions/invoices/create-invoice.ts';
import creditInvoice from '../../functions/invoices/credit-invoice.ts';
import importBankStatement from '../../functions/invoices/import-bank-statement.ts';
import listInvoices from '../../functions/invoices/list-invoices.ts';
import readInvoice from '../../functions/invoices/read-invoice.ts';
import recordRefund from '../../functions/invoices/record-refund.ts';
import createLeadRotation from '../../functions/lead-rotations/create-lead-rotation.ts';
import createLeadSource from '../../functions/lead-sources/create-lead-source.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import convertLead from '../../functions/leads/convert-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import readLeadAccess from '../../functions/leads/read-lead-access.ts';
import createLookupOption from '../../functions/lookups/create-lookup-option.ts';
import createMailAddress from '../../functions/mail-addresses/create-mail-address.ts';
import updateMailAddress from '../../functions/mail-addresses/update-mail-address.ts';
import createMailDomain from '../../functions/mail-domains/create-mail-domain.ts';
import readMailDomain from '../../functions/mail-domains/read-mail-domain.ts';
import validateMailDomain from '../../functions/mail-domains/validate-mail-domain.ts';
import listMails from '../../functions/mails/list-mails.ts';
import readMail from '../../functions/mails/read-mail.ts';
import completeMerchantDocument from '../../functions/merchants/complete-merchant-document.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMerchantDocument from '../../functions/merchants/create-merchant-document.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import createNote from '../../functions/merchants/create-note.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import setMerchantParticipants from '../../functions/merchants/set-merchant-participants.ts';
import updateMerchant from '../../functions/merchants/update-merchant.ts';
import updateMerchantDocument from '../../functions/merchants/update-merchant-document.ts';
import saveProvisioning from '../../functions/provisioning/save-provisioning.ts';
import readReceivedInvoice from '../../functions/received-invoices/read-received-invoice.ts';
import readReceivedStatement from '../../functions/received-invoices/read-received-statement.ts';
import createPayout from '../../functions/residual-payouts/create-payout.ts';
import importReturns from '../../functions/residual-payouts/import-returns.ts';
import listPayoutAccounts from '../../functions/residual-payouts/list-payout-accounts.ts';
import listPayouts from '../../functions/residual-payouts/list-payouts.ts';
import readPayout from '../../functions/residual-payouts/read-payout.ts';
import recordPaymentResult from '../../functions/residual-payouts/record-payment-result.ts';
import createRole from '../../functions/roles/create-role.ts';
import listRoles from '../../functions/roles/list-roles.ts';
import setRolePermissions from '../../functions/roles/set-role-permissions.ts';
import createScimUser from '../../functions/scim/create-scim-user.ts';
import readScimUser from '../../functions/scim/read-scim-user.ts';
import replaceScimGroup from '../../functions/scim/replace-scim-group.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createSsoConnection from '../../functions/sso-connections/create-sso-connection.ts';
import activateTeam from '../../functions/teams/activate-team.ts';
import createTeam from '../../functions/teams/create-team.ts';
import deactivateTeam from '../../functions/teams/deactivate-team.ts';
import deleteTeam from '../../functions/teams/delete-team.ts';
import createTicketRotation from '../../functions/ticket-rotations/create-ticket-rotation.ts';
import listTicketRotations from '../../functions/ticket-rotations/list-ticket-rotations.ts';
import simulateTicketRotation from '../../functions/ticket-rotations/simulate-ticket-rotation.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import bulkTickets from '../../functions/tickets/bulk-tickets.ts';
import completeTicketDocument from '../../functions/tickets/complete-ticket-document.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import createTicketDocument from '../../functions/tickets/create-ticket-document.ts';
import listTicketMails from '../../functions/tickets/list-ticket-mails.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import readTicketAssignment from '../../functions/tickets/read-ticket-assignment.ts';
import readTicketSla from '../../functions/tickets/read-ticket-sla.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import updateTicketDocument from '../../functions/tickets/update-ticket-document.ts';
import createUnderwritingRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import listUnderwritingRules from '../../functions/underwriting-rules/list-underwriting-rules.ts';
import readUnderwritingRuleTest from '../../functions/underwriting-rules/read-rule-test.ts';
import reportUnderwritingRules from '../../functions/underwriting-rules/report-underwriting-rules.ts';
import testUnderwritingRule from '../../functions/underwriting-rules/test-underwriting-rule.ts';
import testUnsavedUnderwritingRule from '../../functions/underwriting-rules/test-unsaved-rule.ts';
import toggleUnderwritingRule from '../../functions/underwriting-rules/toggle-underwriting-rule.ts';
import updateUnderwritingRule from '../../functions/underwriting-rules/update-underwriting-rule.ts';
import addUserToAccount from '../../functions/users/add-user-to-account.ts';
import deleteUser from '../../functions/users/delete-user.ts';
import endImpersonation from '../../functions/users/end-impersonation.ts';
import listImpersonations from '../../functions/users/list-impersonations.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import updateUser from '../../functions/users/update-user.ts';
import createView from '../../functions/views/create-view.ts';
import listViewRecords from '../../functions/views/list-view-records.ts';
import updateView from '../../functions/views/update-view.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import listWebhookDeliveries from '../../functions/webhooks/list-webhook-deliveries.ts';
import readWebhook from '../../functions/webhooks/read-webhook.ts';
import readWebhookDelivery from '../../functions/webhooks/read-webhook-delivery.ts';
import redeliverWebhookDelivery from '../../functions/webhooks/redeliver-webhook-delivery.ts';
import rotateWebhookSecret from '../../functions/webhooks/rotate-webhook-secret.ts';
import setWebhookEvents from '../../functions/webhooks/set-webhook-events.ts';
import { describedScan, putFile } from '../../infra/administration/upload-file.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { statementFile } from '../../infra/scenes/records.ts';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { RuleInput } from '../../shared/sales/underwriting-rules/schema.ts';
import { draftBody, opened, pay } from '../billing/world.ts';
import { plantMail } from '../correspondence/planted-mails.ts';
import { vendorOf } from '../external-api/vendor.ts';
import { applicant, plantAppKey } from '../harness/applicant.ts';
import { call, seenFields } from '../harness/call.ts';
import { childAccount } from '../harness/child-account.ts';
import { clock } from '../harness/clock.ts';
import { drain } from '../harness/drain.ts';
import { addPasskey, passkeyChallengeOf } from '../harness/factors.ts';
import { completeApplication, filledApplication } from '../harness/filled-application.ts';
import { member, memberPassword } from '../harness/member.ts';
import { passTime } from '../harness/pass-time.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { runSchedule } from '../harness/run-schedule.ts';
import { sealAll } from '../harness/seal-events.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { actingAs } from '../impersonation/acting-as.ts';
import { connected, submitted } from '../partner/world.ts';
import { writeReturnFile } from '../residuals/nacha/ach-files.ts';
import {
  agent,
  everyChangeOfPayouts,
  sentPayout,
  setBank,
  storedStatement,
} from '../residuals/payouts/world.ts';
import { newTicketOf, newTypeOf } from '../tickets/new-tickets.ts';
import { happyPath } from './happy-paths.ts';
import { publishDomain, publishMailDomain } from './publish-domain.ts';
import { nameOf, plantUnmatched, runningRuleTest } from './records.ts';
import { residualStates } from './residual-states.ts';

const everybody = ({ adminEmail }: Tenant) => [{ userId: adminEmail, weight: 1 }];
const ada = { firstName: 'Ada', lastName: 'Byron' };
const query = { skipTeamAndSourceRequirement: true };

/** Uploads a file and rejects it in the review. */
async function rejectFile(
  { admin }: Tenant,
  [create, complete, review]: readonly [Endpoint, Endpoint, Endpoint],
  params: object,
  key: object,
): Promise<void> {
  const document = await admin.ok(create, { params, body: { ...describedScan, ...key } });
  await putFile(document);
  const of = { params: { ...params, documentId: (document as { id: string }).id } };
  await admin.ok(complete, { ...of, body: {} });
  await admin.ok(review, { ...of, body: { status: 'rejected', reason: 'Not readable' } });
}

const ofApplication = [
  createApplicationDocument,
  completeApplicationDocument,
  updateApplicationDocument,
] as unknown as [Endpoint, Endpoint, Endpoint];
const ofMerchant = [createMerchantDocument, completeMerchantDocument, updateMerchantDocument] as unknown as [
  Endpoint,
  Endpoint,
  Endpoint,
];
const ofTicket = [createTicketDocument, completeTicketDocument, updateTicketDocument] as unknown as [
  Endpoint,
  Endpoint,
  Endpoint,
];

/** Reads records in states that the example requests do not reach. */
const states: ((owner: Tenant) => Promise<void>)[] = [
  ...residualStates,
  async function provision({ admin }) {
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Provisioned', active: false } });
    await admin.ok(activateTeam, { params: { id: teamId } });
    await admin.ok(saveProvisioning, { body: { groups: [{ displayName: 'West', teamId }] } });
    await admin.ok(deactivateTeam, { params: { id: teamId } });
    const userName = 'provisioned@example.com';
    const name = { formatted: 'Ada Byron', givenName: 'Ada', familyName: 'Byron' };
    const emails = [{ value: userName, type: 'work', display: 'Ada', primary: true }];
    const { id } = await admin.ok(createScimUser, { body: { userName, name, emails } });
    const body = { displayName: 'West', members: [{ value: id }] };
    await admin.ok(replaceScimGroup, { params: { id: `team-${teamId}` }, body });
    await admin.ok(readScimUser, { params: { id } });
  },
  async function explainAccess(owner) {
    await member(owner, ['readLeads'], { name: 'Grace Hopper' });
    const { id: leadId } = await owner.admin.ok(createLead, {
      body: { firstName: 'Ada', lastName: 'Byron' },
    });
    await owner.admin.ok(readLeadAccess, { params: { leadId } });
  },
  async function readWithSomeLeadsHidden(owner) {
    const { admin } = owner;
    const { url } = await receiver(behaviours.responds(200));
    const { id } = await admin.ok(createWebhook, { body: { url, events: ['lead_created'] } });
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'West' } });
    const agent = await member(owner, ['readOwnLeads', 'readEvents', 'readWebhooks']);
    const own = { ...ada, assignedTo: String(agent.user.id) };
    for (const _ of [1, 2]) await admin.ok(createLead, { query, body: own });
    await admin.ok(createLead, { query, body: { ...ada, teamId, email: 'grace@navy.test' } });
    await drain();
    const external = { ...ada, externalId: 'twice', email: 'grace@navy.test' };
    await (await vendorOf(owner)).ok(saveExternalLead, { body: external });
    await drain();
    const [saved] = (await admin.ok(listLeads, { query: { externalId: ['twice'] } })).data;
    const params = { leadId: saved?.id ?? 0 };
    await admin.ok(assignLead, { params, body: { assignedTo: own.assignedTo } });
    await agent.client.ok(readLead, { params });
    await agent.client.ok(listEvents, { query: { pageSize: 1 } });
    await agent.client.ok(listWebhookDeliveries, { params: { id }, query: { pageSize: 1 } });
  },
  async function proveForOneRequest(owner) {
    const { client: session } = await member(owner);
    await session.ok(stepUp, { body: { password: memberPassword, purpose: 'reveal' } });
  },
  async function requireFactors({ admin, accountId: id }) {
    const mfa = { policy: 'phishingResistant', graceDays: 14 } as const;
    await admin.ok(updateAccount, { params: { id }, body: { mfa } });
  },
  async function usePasskeys(owner) {
    const ada = await member(owner);
    const { authenticator } = await addPasskey(ada.client);
    await addPasskey(ada.client);
    const { challenge, publicKey } = await passkeyChallengeOf(ada);
    await call(verifyLogin, { body: { challenge, credential: authenticator.use(publicKey) } });
    await call(startPasskeyLogin, {});
  },
  async function testARule(owner) {
    const { admin, adminEmail } = owner;
    const when = { field: 'scheduleABasics.highMonthlyVolume', between: { to: 50_000 } };
    const from = new Date(Date.now() - 86_400_000).toISOString();
    const create = (name: string, priority: number, action: RuleInput['action']) =>
      admin.ok(createUnderwritingRule, {
        body: { name, description: 'For shops', when, priority, action },
      });
    const submit = async () => {
      const { id: applicationId } = await admin.ok(createApplication, { body: filledApplication });
      return admin.ok(submitApplication, { params: { applicationId } });
    };
    const makeLive = async ({ id }: { id: number }) => {
      await admin.ok(testUnderwritingRule, { params: { id }, body: { from } });
      const body = { mode: 'live', confirmFewApplications: true } as const;
      await admin.ok(toggleUnderwritingRule, { params: { id }, body });
    };
    const asks = [
      { field: 'basics.dbaName', message: 'Which?' },
      { documentKey: 'voided-check', message: 'Please.' },
    ];
    const asking = await create('Asks', 1, { kind: 'request_information', reason: 'Name', requested: asks });
    await makeLive(asking);
    const { id: applicationId } = await submit();
    const params = { applicationId };
    const { id: unfilled } = await admin.ok(createApplication, { body: {} });
    await admin.ok(submitApplication, { params: { applicationId: unfilled } });
    await makeLive(await create('Flags', 2, { kind: 'flag', reason: 'Look twice.' }));
    const assigns = { kind: 'assign', assignedTo: adminEmail, priority: 'high' } as const;
    const assigning = await create('Assigns', 3, assigns);
    await admin.ok(toggleUnderwritingRule, { params: { id: assigning.id }, body: { mode: 'shadow' } });
    await admin.ok(submitApplication, { params });
    await admin.ok(decideApplication, { params, body: { decision: 'approved' } });
    const { id } = assigning;
    await admin.ok(testUnderwritingRule, { params: { id }, body: { from } });
    await admin.ok(updateUnderwritingRule, { params: { id }, body: { name: 'Assigns some' } });
    await admin.ok(listUnderwritingRules);
    await admin.ok(reportUnderwritingRules, { query: { from } });
    await admin.ok(testUnsavedUnderwritingRule, {
      body: { rule: { when, action: { kind: 'approve' } }, from },
    });
    await admin.ok(readUnderwritingRuleTest, { params: await runningRuleTest(owner) });
  },

  async function readAnInvitation({ admin }) {
    const guest = await member(await tenant());
    await admin.ok(addUserToAccount, { params: { email: guest.user.email }, body: {} });
    await guest.client.ok(listAccounts);
  },

  async function readAnApplicationAtThePartner(owner) {
    const { admin } = owner;
    const world = await connected({}, { owner });
    const params = await submitted(world);
    await world.partner.walked();
    const data = { ...params, sequence: 9, status: 'needs_information', message: 'Send a bank letter.' };
    await world.partner.deliverEvent({ type: 'application.status', data });
    await drain();
    await owner.admin.ok(readApplication, { params });
    const { uniqueId: defaultTicketTypeId } = await admin.ok(createTicketType, {
      body: { name: 'Partner', description: 'Of the partner', category: 'technical' },
    });
    const body = { url: world.partner.url, active: true, defaultTicketTypeId };
    await admin.ok(savePartnerConnection, { body });
    const support = {
      ...{ ticketId: 'case-1', subject: 'Offline', description: 'Error 17', categoryId: 31 },
      ...{ requesterName: 'Ada Byron', requesterEmail: 'ada@example.com' },
    };
    await world.partner.deliverEvent({ type: 'ticket.created', data: support });
    await drain();
    await admin.ok(readTicket, { params: { ticketId: 'TKT-000001' } });
    world.partner.behaviour.failing = 422;
    await owner.admin.ok(readApplication, { params: await submitted(world) });
    await owner.admin.ok(rotatePartnerSecret);
    await owner.admin.ok(readPartnerConnection);
  },

  async function readAConnectionWithMappings({ admin }) {
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Sales' } });
    await admin.ok(createRole, { body: { name: 'Agents', flatPermissionsList: [] } });
    await admin.ok(createSsoConnection, {
      body: {
        issuer: 'https://login.example.com',
        clientId: 'merchant-ops',
        authentication: 'private_key_jwt',
        privateKey: generateKeyPairSync('ed25519')
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
        keyId: '2026-03',
        domains: [],
        returnUrls: ['https://portal.example.com/signed-in'],
        roleMappings: [{ claim: 'groups', value: 'Sales', roles: ['Agents'], teamId }],
      },
    });
  },

  async function readRecordsOfATeam(owner) {
    const { admin, adminEmail: email } = owner;
    const { id: parentTeamId } = await admin.ok(createTeam, { body: { name: 'Sales' } });
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Field', parentTeamId } });
    const { id: leadSourceId } = await admin.ok(createLeadSource, { body: { name: 'Fair', teamId } });
    await admin.ok(createLeadRotation, { body: { name: 'All', userRotationArray: everybody(owner) } });
    const { id: leadId } = await owner.key.ok(createLead, { body: { ...ada, teamId, leadSourceId } });
    await drain();
    await admin.ok(readLead, { params: { leadId } });
    await admin.ok(updateUser, { params: { email }, body: { teamId, imgSrc: 'https://example.com/a.png' } });
    await admin.ok(createLeadRotation, {
      body: { name: 'Field', teamId, userRotationArray: everybody(owner) },
    });
    await admin.ok(readSession);
    const { data } = await admin.ok(listEvents, { query: { kind: 'lead_created' } });
    await admin.ok(explainEvent, { params: { id: data[0]?.id ?? 0 } });
  },

  async function readTheSessionOfAChangedKey({ admin, key }) {
    const { id } = await key.ok(readSession);
    await admin.ok(updateApiKey, { params: { id: Number(id) }, body: { description: 'Renamed' } });
    await key.ok(readSession);
  },

  async function readAViewOfATeam({ admin, adminEmail: email }) {
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Field' } });
    await admin.ok(updateUser, { params: { email }, body: { teamId } });
    for (const _ of [1, 2]) await admin.ok(createLead, { body: ada, query });
    const body = { resource: 'lead', name: 'Ada', query: { search: 'ada' }, sharedWith: 'team' } as const;
    const { id } = await admin.ok(createView, { body });
    await admin.ok(updateView, { params: { id }, body: { name: 'Of Ada' } });
    const found = { params: { id }, query: { pageSize: 1, cursor: '' } };
    const { nextCursor } = await admin.ok(listViewRecords, found);
    await admin.ok(listViewRecords, { ...found, query: { pageSize: 1, cursor: nextCursor } });
    const { id: other } = await admin.ok(createTeam, { body: { name: 'Dissolved' } });
    const ofTeam = { ...body, name: 'Of a team', query: { teamId: other }, sharedWith: 'me' as const };
    const view = await admin.ok(createView, { body: ofTeam });
    await admin.ok(deleteTeam, { params: { id: other } });
    await admin.ok(listViewRecords, { params: { id: view.id } });
  },

  async function returnPayments(owner) {
    await everyChangeOfPayouts(owner);
    await setBank(owner, { immediateDestination: '011000015', immediateOrigin: '9876543210' });
    await setBank(owner, { entryDescription: 'SHARES', addenda: true });
    const ada = await agent(owner);
    await storedStatement(owner, 17);
    const { id, entries } = await sentPayout(owner, ada.id);
    const body = { result: 'returned' as const, code: 'R02', note: 'Closed' };
    await owner.admin.ok(recordPaymentResult, { params: { id, n: 1 }, body });
    const { trace = '', amount = 0 } = entries[0] ?? {};
    const reports = [
      { code: 'C09', trace, corrected: 'A-17' },
      { code: 'R01', trace, amount },
    ];
    await owner.admin.ok(importReturns, { body: { fileContent: writeReturnFile(reports) } });
    await owner.admin.ok(createPayout, { body: { format: 'csv', month: '2026-10' } });
    await owner.admin.ok(listPayouts);
    for (const one of (await owner.admin.ok(listPayouts)).data)
      await owner.admin.ok(readPayout, { params: { id: one.id } });
    await owner.admin.ok(listPayoutAccounts);
  },

  async function endARuleOfTwoPeople({ admin, accountId: id }) {
    for (const wanted of [true, false])
      await admin.ok(updateAccount, {
        params: { id },
        body: { rulesNeedTwoPeople: wanted, residualsNeedTwoPeople: wanted },
      });
  },

  async function readTheSecondPageOfSearches(owner) {
    const { admin, adminEmail } = owner;
    for (const _ of [1, 2]) {
      await plantMail(owner, { subject: 'Ada' });
      await admin.ok(createLead, { body: ada, query });
      const { id: applicationId } = await admin.ok(createApplication, {
        body: { basics: { dbaName: 'Ada' } },
      });
      const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Ada' } });
      const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Owners' } });
      const body = { participants: [adminEmail] };
      await admin.ok(setApplicationOwner, { params: { applicationId }, body: { teamId } });
      await admin.ok(setApplicationParticipants, { params: { applicationId }, body });
      await admin.ok(setMerchantOwner, { params: { merchantId }, body: { teamId } });
      await admin.ok(setMerchantParticipants, { params: { merchantId }, body });
      await newTicketOf(admin, { subject: 'Ada' });
      const { id } = await admin.ok(createMerchant, { body: { merchantName: 'Ada', legalName: 'Ada' } });
      await admin.ok(createInvoice, { body: draftBody(String(id)) });
    }
    const lists = [listLeads, listApplications, listMerchants, listTickets, listMails, listInvoices];
    for (const list of lists as unknown as Endpoint[]) {
      const found = { search: 'ada', pageSize: 1 };
      const first = (await admin.ok(list, { query: { ...found, cursor: '' } })) as { nextCursor?: string };
      await admin.ok(list, { query: { ...found, cursor: first.nextCursor ?? '' } });
    }
    await drain();
    await admin.ok(searchRecords, { query: { q: 'ada' } });
  },

  async function readInvoices(owner) {
    const { admin, accountId } = owner;
    const address = { type: 'business', street1: '12 Harbor Street', city: 'Oakland' } as const;
    const { id } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor', addresses: [address] } });
    const of = { customerId: String(id), dueDate: '2026-01-31', memo: 'Thank you.' };
    const { params, invoice } = await opened(owner, of);
    await pay(owner, params, 10, { result: 'failed', reason: 'card_declined', paidOn: '2026-02-01' });
    await pay(owner, params, 27_063);
    const refund = { amount: 63, reference: 're_1', reason: 'Returned', reopens: true };
    await admin.ok(recordRefund, { params, body: refund });
    await admin.ok(creditInvoice, { params, body: { amount: 3, reason: 'Goodwill' } });
    await drain();
    await admin.ok(readInvoice, { params });
    const day = new Date().toISOString().slice(0, 10);
    await admin.ok(readStatement, { query: { customerId: String(id), from: day, to: day } });
    await admin.ok(readAgeing);
    const child = await childAccount(owner);
    const toChild = { customerType: 'account', customerId: child.accountId } as const;
    const { params: billed } = await opened(owner, { ...of, ...toChild });
    await pay(owner, billed, 27_063, { paidOn: '2026-02-01' });
    await admin.ok(recordRefund, { params: billed, body: { ...refund, reference: 're_2' } });
    await admin.ok(creditInvoice, { params: billed, body: { amount: 3, reason: 'Goodwill' } });
    await child.admin.ok(readReceivedInvoice, { params: billed });
    await child.admin.ok(readReceivedStatement, { query: { from: day, to: day } });
    const csv = `date,amount,text\n2026-03-02,9999,${invoice.number}\n2026-03-02,0.60,${invoice.number}\n`;
    await admin.ok(importBankStatement, { body: { csv } });
    const lines = [
      { description: 'Hours', exactQuantity: 1.25, unitAmount: 1_000, exactTaxRate: 887.5 },
      { description: 'Discount', quantity: 1, unitAmount: 100, discount: true },
    ];
    const both = [await opened(owner, { ...of, lines }), await opened(owner, of)];
    const sum = both.reduce((due, one) => due + one.invoice.amountDue, 0);
    const numbers = both.map((one) => one.invoice.number).join(' ');
    const statement = `date,amount,text\n2026-03-03,${sum / 100},${numbers}\n`;
    await admin.ok(importBankStatement, { body: { statement } });
    const reversed = (await opened(owner, of)).invoice;
    const entries = ['C', 'RC'].map(
      (mark) => `:61:2603030303${mark}270,63NTRFNONREF//A\n:86:${reversed.number}\n`,
    );
    const mt940 = `:20:X\n:25:1\n:60F:C260301USD1,\n${entries.join('')}:62F:C260303USD1,\n`;
    await admin.ok(importBankStatement, { body: { statement: mt940 } });
    const columns = { debit: 'Out', credit: 'In', account: 'Account', reference: 'Id', status: 'Status' };
    const others = { direction: 'Direction', currency: 'Currency', description: ['Text'] };
    const names = [...Object.values(columns), 'Direction', 'Currency', 'Text', 'Date'];
    const header = { statement: `${names.join()}\n`, bankAccount: 'main' };
    const withAmount = 'date,amount,direction,text\n2026-03-03,"1.50",in,x\n';
    await admin.ok(importBankStatement, { body: header });
    await admin.ok(importBankStatement, { body: { statement: withAmount } });
    const mapped = { ...columns, ...others, date: 'Date', amount: 'Amount' };
    const bankAccount = {
      name: 'Main',
      currency: 'USD',
      dates: 'dmy',
      decimals: 'point',
      columns: mapped,
    } as const;
    const main = { params: { id: 'main' } };
    for (const name of ['Main', 'Checking'])
      await admin.ok(saveBankAccount, { ...main, body: { ...bankAccount, name } });
    await admin.ok(readBankAccount, main);
    await admin.ok(listBankAccounts);
    await admin.ok(deleteBankAccount, main);
    await plantUnmatched(accountId, { failure: 'card_declined', paidOn: '2026-02-01' });
    await admin.ok(listUnmatchedPayments);
    await admin.ok(savePaymentProvider, { body: { name: 'Northwind', active: false } });
    const { secret } = await admin.ok(rotateProviderSecret, { body: { expireNow: false } });
    await admin.ok(savePaymentProvider, { body: { name: 'Northwind Payments', active: true } });
    await admin.ok(readPaymentProvider);
    const sent = { params: { accountId }, signWith: secret };
    const notice = { type: 'payment.received', timestamp: new Date().toISOString(), data: {} };
    await call(receivePaymentNotice, { ...sent, body: notice });
  },

  async function readAnApplicationInReview(owner) {
    const { admin, accountId, adminEmail } = owner;
    const { id: applicationId } = await admin.ok(createApplication, { body: filledApplication });
    const params = { applicationId };
    await rejectFile(owner, ofApplication, params, { documentKey: 'voided-check' });
    await rejectFile(owner, ofApplication, params, { documentKey: 'signed-application' });
    await admin.ok(assessRisk, { params });
    await admin.ok(updateUnderwriting, { params, body: { priority: 'high', assignedTo: adminEmail } });
    await admin.ok(listApplications);
    await admin.ok(submitApplication, { params });
    const requested = [
      { field: 'basics.dbaName', message: 'Please check.' },
      { documentKey: 'voided-check', message: 'Please sign.' },
    ];
    await admin.ok(decideApplication, {
      params,
      body: { decision: 'info_requested', reason: 'Unclear', requested },
    });
    await admin.ok(updateApplication, { params, body: { basics: { dbaName: 'Harbor Coffee' } } });
    await admin.ok(readApplication, { params, query: { includeFullResponse: true } });
    const appKey = await plantAppKey(accountId, applicationId);
    await applicant({ appKey, acctId: accountId }).ok(readApplication, { params });
  },

  async function readAnApprovedApplication({ admin }) {
    const { id: leadId } = await admin.ok(createLead, { body: ada });
    const { application } = await admin.ok(convertLead, { params: { leadId } });
    const params = { applicationId: application.id };
    await admin.ok(submitApplication, { params });
    const { admin: decided } = await admin.ok(decideApplication, { params, body: { decision: 'approved' } });
    await admin.ok(listApplications);
    await admin.ok(updateMerchant, {
      params: { merchantId: decided?.merchantId ?? 0 },
      body: { dba: 'Harbor' },
    });
  },

  async function readAnAccountOfAnAccount(owner) {
    const limits = { users: 5, apiKeys: 5, webhooks: 5, requestsPerMinute: 300 };
    const { admin, accountId: id } = await childAccount(owner, { limits });
    await admin.ok(createRole, { body: { name: 'Agent', flatPermissionsList: ['writeLeads'] } });
    const permissions = ['readRoles', 'readApiKeys'];
    await owner.admin.ok(setChildPermissions, { params: { id }, body: { permissions } });
    await admin.ok(listRoles);
    await admin.ok(listApiKeys);
    await admin.ok(updateAccount, { params: { id }, body: { name: 'Agent' } });
    const body = { merchantName: 'Harbor', dba: 'Harbor', status: 'active' as const, agentAccountId: id };
    await owner.admin.ok(createMerchant, { body });
    await owner.admin.ok(listChildAccounts);
    await drain();
    await owner.admin.ok(reportChildAccount, { params: { id } });
  },

  async function readRecordsOfTheExternalApi({ admin, accountId }) {
    const email = 'ada@example.com';
    await admin.ok(createLead, { body: { ...ada, email }, query });
    await drain();
    await admin.ok(saveExternalLead, { body: { externalId: 'L-1', ...ada, email } });
    const [lead] = (await admin.ok(listLeads)).data;
    await admin.ok(deleteLead, { params: { leadId: lead?.id ?? 0 } });
    await admin.ok(saveExternalLeads, {
      body: { leads: [{ externalId: 'L-1', ...ada }, { externalId: 'L-2' }] },
    } as never);

    const body = { requireCompleteApplication: false };
    await admin.ok(updateAccount, { params: { id: accountId }, body });
    const ofVendor = { params: { externalId: 'A-1' } };
    await admin.ok(saveExternalApplication, { body: { externalId: 'A-1' } });
    await admin.ok(submitExternalApplication, ofVendor);
    const [application] = (await admin.ok(listApplications)).data;
    const params = { applicationId: application?.id ?? '' };
    const decided = await admin.ok(decideApplication, { params, body: { decision: 'approved' } });
    const merchantId = decided.admin.merchantId ?? 0;
    await admin.ok(updateMerchant, { params: { merchantId }, body: { status: 'active' } });
    await admin.ok(readApplication, { params });
    await admin.ok(readExternalApplication, ofVendor);

    const { id: externalKeyId } = await admin.ok(createApiKey, { body: { description: 'Vendor' } });
    const events = ['extapi_status_change'];
    await admin.ok(createWebhook, { body: { url: 'https://hooks.example.com/', events, externalKeyId } });
  },

  async function createATicketWithAWarning({ admin, key }) {
    const body = { ...ada, email: 'ada@example.com', phone: 'call the shop' };
    const { id } = await key.ok(createLead, { query: { skipTeamAndSourceRequirement: true }, body });
    const requester = { requesterType: 'lead', requesterId: String(id) } as const;
    const texts = {
      subject: 'No receipt',
      description: 'It prints nothing.',
      category: 'technical',
    } as const;
    await admin.ok(createTicket, { body: { ...texts, ...requester } });
  },

  async function readTheProofOfALaterSeal({ accountId, admin, key }) {
    await sealAll(accountId);
    clock.advance(60_000);
    await key.ok(createTeam, { body: { name: 'Field' } });
    await admin.ok(proveEvent, { params: { id: await sealAll(accountId) } });
    await admin.ok(listApiKeys);
    clock.reset();
  },

  // Ids never decrease, so a function that advances the clock and resets it comes after the one that seals new events.
  async function readMails(owner) {
    const { admin } = owner;
    const { id: ticketId } = await newTicketOf(admin);
    const at = clock.now().toISOString();
    const address = 'ada@example.com';
    const mail = await plantMail(owner, {
      ...{ recordType: 'ticket', recordId: String(ticketId), commentId: 7, updatedBy: 'grace@example.com' },
      ...{ cc: [{ address, name: 'Ada' }], to: [{ address, name: 'Ada' }], sentAt: at, providerId: 'ses-7' },
      ...{ text: 'All > of it', textCut: true, visibleText: 'All', inReplyTo: '<1@example.com>' },
      ...{ references: ['<1@example.com>'], leftOut: ['The calendar part.'] },
      verdicts: {
        spf: 'PASS',
        dkim: 'PASS',
        dmarc: 'PASS',
        dmarcPolicy: 'none',
        spam: 'PASS',
        virus: 'PASS',
      },
      attachments: [
        { fileName: 'a.pdf', contentType: 'application/pdf', size: 1, documentId: 7 },
        {
          fileName: 'a.exe',
          contentType: 'application/x-msdownload',
          size: 1,
          leftOut: 'The type is not allowed.',
        },
      ],
      bounces: [{ address, kind: 'permanent', at, diagnostic: '550' }],
      why: { code: 'spam', detail: 'SES found spam.' },
      ...{ rawKey: 'mail/raw', rawExpiresAt: at },
    });
    await admin.ok(readMail, { params: { mailId: mail.id } });
    const delivery = { address, at, providerId: 'ses-8', reason: 'MessageRejected', repeated: true };
    const sent = await plantMail(owner, {
      ...{ direction: 'outgoing', state: 'failed', deliveries: [{ ...delivery, state: 'failed' }] },
    });
    await admin.ok(readMail, { params: { mailId: sent.id } });
    await admin.ok(listTicketMails, { params: { ticketId: String(ticketId) } });
    await admin.ok(listMails);
    await drain();
    await admin.ok(searchRecords, { query: { q: 'terminal' } });
    const domain = await admin.ok(createMailDomain, { body: { domain: 'mail.example.com' } });
    const ofDomain = { params: { id: domain.id } };
    await publishMailDomain(domain);
    await admin.ok(validateMailDomain, ofDomain);
    await drain();
    await passTime(6 * 60_000);
    clock.reset();
    await admin.ok(readMailDomain, ofDomain);
    const { id: teamId } = await admin.ok(createTeam, { body: { name: 'Mail' } });
    const { uniqueId: ticketTypeId } = await newTypeOf(admin);
    const { id } = await admin.ok(createMailAddress, {
      body: {
        ...{ address: 'a@mail.example.com', purpose: 'tickets', ticketTypeId, teamId, name: 'Acme' },
        autoReply: { subject: 'Received', text: 'Thank you.' },
      },
    });
    await admin.ok(updateMailAddress, { params: { id }, body: { name: 'Support' } });
    const mailSettings = { commentsByMail: true, from: id };
    await admin.ok(updateAccount, { params: { id: owner.accountId }, body: { mail: mailSettings } });
  },

  async function readACompleteApplication({ admin }) {
    const { id: applicationId } = await admin.ok(createApplication, { body: completeApplication });
    const params = { applicationId };
    const { documentRequirements } = await admin.ok(readApplication, {
      params,
      query: { includeFullResponse: true },
    });
    const required = documentRequirements?.requiredDocuments.map(({ key }) => key) ?? [];
    for (const documentKey of [...required, 'signed-application']) {
      const document = await admin.ok(createApplicationDocument, {
        params,
        body: { ...describedScan, documentKey },
      });
      await putFile(document);
      await admin.ok(completeApplicationDocument, {
        params: { ...params, documentId: document.id },
        body: {},
      });
    }
    await admin.ok(readApplication, { params });
    await admin.ok(listApplications);
  },

  async function readRecordsWithRareFields(owner) {
    const { admin, accountId, adminEmail: email } = owner;
    const { id: merchantId } = await admin.ok(createMerchant, {
      body: { merchantName: 'Harbor', agentAccountId: 'agent-7' },
    });
    await rejectFile(owner, ofMerchant, { merchantId }, { type: 'contract' });
    const params = { table: 'merchant', field: 'category' };
    const { lookupValue } = await admin.ok(createLookupOption, {
      params,
      body: { value: 'bar', metadata: { size: 1 } },
    });
    await admin.ok(createLookupOption, { params, body: { value: 'cafe', parent_id: lookupValue.id } });
    const { body } = await happyPath(createTicketTypeMapping, owner);
    const mapping = { ...Object(body), partnerCategoryName: 'Hardware' };
    await admin.ok(createTicketTypeMapping, { body: mapping });
    const deliveryPref = ['website' as const];
    const ofViews = { event: 'no_event_name' as const, happenings: ['view_created' as const] };
    const rules = [
      { event: 'cron_triggered' as const, accountId, deliveryPref },
      { ...ofViews, accountId, deliveryPref },
    ];
    await admin.ok(setNotificationPreferences, { params: { email }, body: rules });
  },

  async function readATicketThroughItsLife(owner) {
    const { admin } = owner;
    const away = await member(owner);
    const members = [...everybody(owner), { userId: away.user.email, weight: 1 }];
    const rotation = await admin.ok(createTicketRotation, {
      body: { name: 'All', userRotationArray: members },
    });
    await admin.ok(updateUser, {
      params: { email: away.user.email },
      query: { reassignTo: 'none' },
      body: { active: false },
    });
    await admin.ok(listTicketRotations);
    const nobody = { userRotationArray: [{ userId: away.user.email, weight: 1 }] };
    await admin.ok(simulateTicketRotation, {
      params: { id: rotation.uniqueId },
      body: { count: 1, ...nobody },
    });
    const { uniqueId: ticketTypeId } = await admin.ok(createTicketType, {
      body: {
        name: 'Fault',
        description: 'Of a terminal',
        category: 'technical',
        autoAssignmentEnabled: true,
        rotationId: rotation.uniqueId,
        customFields: [
          {
            key: 'model',
            label: 'Model',
            type: 'select',
            options: [{ value: 'counter', label: 'Countertop' }],
            default: 'counter',
            helpText: 'On the back',
          },
          { key: 'age', label: 'Age', type: 'integer', min: 0, max: 20 },
        ],
      },
    });
    await admin.ok(createTicketRotation, {
      body: { name: 'Of a type', ticketTypeId, userRotationArray: everybody(owner) },
    });
    const { id: assignedTeamId } = await admin.ok(createTeam, { body: { name: 'Phone' } });
    const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor' } });
    const { id: midId } = await admin.ok(createMid, {
      params: { merchantId },
      body: { mid: '4445012340002' },
    });
    const { id: leadId } = await admin.ok(createLead, { body: ada, query });
    const { id: applicationId } = await admin.ok(createApplication);
    const { uniqueId: ticketId } = await admin.ok(createTicket, {
      body: {
        subject: 'No receipt',
        description: 'Since noon',
        requesterType: 'external',
        requesterId: 'customer-7',
        requesterName: 'Ada Byron',
        requesterEmail: 'ada@example.com',
        ticketTypeId,
        customFields: { age: 2 },
        assignedTeamId,
        merchantId,
        midId,
        leadId,
        applicationId,
      },
    });
    const params = { ticketId };
    await admin.ok(readTicketAssignment, { params });
    const slaTargets = { low: { firstResponse: 60, resolution: 600 } };
    await admin.ok(updateAccount, { params: { id: owner.accountId }, body: { slaTargets } });
    await rejectFile(owner, ofTicket, params, { type: 'photo' });
    const fromCustomer = { body: 'It is red.', authorType: 'customer' as const, author: 'Ada Byron' };
    await admin.ok(createTicketComment, { params, body: fromCustomer });
    await admin.ok(updateTicket, { params, body: { status: 'waiting_customer' } });
    await admin.ok(updateTicket, { params, body: { status: 'open' } });
    clock.advance(8 * 3_600_000);
    const late = await member(owner, ['readTickets', 'writeTickets']);
    await late.client.ok(createTicketComment, { params, body: { body: 'Solved?' } });
    await late.client.ok(updateTicket, { params, body: { status: 'resolved' } });
    await late.client.ok(updateTicket, { params, body: { status: 'closed' } });
    await late.client.ok(readTicket, { params });
    await late.client.ok(readTicketSla, { params });
    clock.reset();
    const leaver = { params: { email: late.user.email }, query: { reassignTo: 'none' } };
    await admin.ok(deleteUser, leaver);
    const payload = { status: 'open' } as const;
    await admin.ok(bulkTickets, { body: { ticketIds: ['tkt_none'], action: 'change_status', payload } });
  },

  async function previewAChangeOfARole(of) {
    const role = await of.admin.ok(createRole, { body: { name: 'Desk', flatPermissionsList: [] } });
    await member(of, [], { roles: ['Desk'] });
    const body = { flatPermissionsList: ['readLeads'] };
    await of.admin.dryRun(setRolePermissions, { params: { id: role.id }, body });
  },

  async function listAnEventOfANote({ admin }) {
    const { id: merchantId } = await admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
    await admin.ok(createNote, { params: { merchantId }, body: { content: 'Asked for paper' } });
    await admin.ok(listEvents);
  },

  async function readADomainThatFailsAndIsTakenOver({ accountId, admin }) {
    const { id } = await admin.ok(requestDomain, { body: { domain: 'shop.example.com' } });
    const params = { id };
    await publishDomain(await admin.ok(readDomain, { params }));
    await admin.ok(validateDomain, { params });
    await admin.ok(activateDomain, { params });
    await admin.ok(readAccount, { params: { id: accountId } });
    const { admin: other } = await tenant();
    const taking = await other.ok(requestDomain, { body: { domain: 'shop.example.com' } });
    // The record of the other account replaces the record of this account, so the check fails.
    await publishDomain(taking);
    await passTime(25 * 3_600_000);
    clock.reset();
    await admin.ok(readDomain, { params });
    await other.ok(validateDomain, { params: { id: taking.id } });
    await admin.ok(readDomain, { params });
  },

  async function readAWebhookWithHappenings({ admin }) {
    const { url } = await receiver(behaviours.responds(200));
    const body = { events: ['no_event_name'], happenings: ['view_created'] };
    const { id } = await admin.ok(createWebhook, { body: { url, ...body } });
    const params = { id };
    await admin.ok(setWebhookEvents, { params, body });
    const view = { resource: 'lead', name: 'New', query: {}, sharedWith: 'me' } as const;
    await admin.ok(createView, { body: view });
    await drain();
    await admin.ok(readWebhook, { params });
    const [delivery] = (await admin.ok(listWebhookDeliveries, { params })).data;
    await admin.ok(readWebhookDelivery, { params: { id, did: Number(delivery?.id) } });
  },

  async function readAWebhookThatFailsAndIsDisabled({ admin }) {
    const sink = await receiver(behaviours.responds(500));
    const { id } = await admin.ok(createWebhook, {
      body: { url: sink.url, events: ['lead_created', 'cron_triggered'] },
    });
    const params = { id };
    const happens = async (status: number) => {
      sink.behave(behaviours.responds(status));
      await admin.ok(createLead, { body: ada, query });
      await drain();
    };
    await happens(500);
    await admin.ok(readWebhook, { params });
    sink.behave(behaviours.resets);
    await admin.ok(createLead, { body: ada, query });
    await drain();
    await admin.ok(listWebhookDeliveries, { params });
    await happens(200);
    const [delivered] = (await admin.ok(listWebhookDeliveries, { params })).data;
    const of = { params: { id, did: delivered?.id ?? 0 } };
    await admin.ok(redeliverWebhookDelivery, of);
    await drain();
    await admin.ok(readWebhookDelivery, of);
    await admin.ok(rotateWebhookSecret, { params });
    await admin.ok(readWebhook, { params });
    await happens(410);
    await admin.ok(readWebhook, { params });
  },
  async (owner) => {
    const { user } = await member(owner, [
      'readLeads',
      'writeLeads',
      'readApplications',
      'writeApplications',
    ]);
    const params = { email: user.email };
    const session = await actingAs(owner, user.email, { write: true });
    await session.ok(readSession);
    const { id: leadId } = await session.ok(createLead, { body: ada, query });
    const { id: applicationId } = await session.ok(createApplication);
    await drain();
    await session.ok(readLead, { params: { leadId } });
    await session.ok(readApplication, { params: { applicationId } });
    await owner.admin.ok(listEvents);
    await owner.admin.ok(endImpersonation, { params });
    await owner.admin.ok(listImpersonations, { params });
  },
  async ({ admin }) => {
    for (const file of [statementFile, 'no statement']) {
      const sha256 = createHash('sha256').update(file).digest('hex');
      const body = { fileName: 'march.csv', size: file.length, sha256 };
      const statement = await admin.ok(createBankStatement, { body });
      await putFile(statement, file);
      const params = { id: statement.id };
      await admin.ok(completeBankStatement, { params });
      await drain();
      await admin.ok(readBankStatement, { params });
      await admin.ok(listBankStatementTransactions, { params });
    }
  },

  async ({ admin, accountId: id }) => {
    const params = { id };
    const { name: confirmName } = await admin.ok(readAccount, { params });
    await admin.ok(deleteAccount, { params, query: { confirmName } });
    await runSchedule(accountClosings, new Date(clock.now().getTime() + 1));
    await admin.ok(readAccount, { params });
    await admin.ok(readAccountExport, { params });
  },
];

/** Fields without a value in this test by the end of their path, and the reason. */
const unset: Record<string, string> = {
  'agentMerchants.totalIsLowerBound': 'More merchants would be necessary than a test can create.',
  nextCursor: 'test/routes/cursors.test.ts reads every list by cursor.',
  token: 'Tokens are only mailed.',
  'reassignment.error': 'test/functions/reassignments.test.ts lets a reassignment fail.',
  earlier: 'test/webhooks/deliveries.test.ts restarts exhausted deliveries.',
  left: 'test/residuals/payouts.test.ts pays 200 statements.',
  'left.statements': 'test/residuals/payouts.test.ts pays 200 statements.',
  'left.message': 'test/residuals/payouts.test.ts pays 200 statements.',
  appSentForEsignDate: 'No provider of electronic signatures is connected.',
};

test('each field of each response has a value in a response of some endpoint with the same schema', async () => {
  const all = await loadEndpoints();
  for (const reach of states) await reach(await tenant());
  const owner = await tenant();
  for (const { endpoint } of all) {
    // A response of this endpoint can add nothing if all its fields were seen, for example in a shared schema.
    if (fieldsOf(endpoint).every(({ schema }) => seenFields.has(schema))) continue;
    const sent = await happyPath(endpoint, owner);
    await call(endpoint, sent as never);
  }
  const unseen = new Map<object, string>();
  for (const { endpoint } of all)
    for (const { path, schema } of fieldsOf(endpoint)) {
      if (Object.keys(unset).some((end) => path.endsWith(`.${end}`))) seenFields.add(schema);
      if (!seenFields.has(schema)) unseen.set(schema, `${nameOf(endpoint.contract)}: ${path}`);
      else unseen.delete(schema);
    }
  expect([...unseen.values()], 'Add a function to `states` that reads records with these fields.').toEqual(
    [],
  );
});

/** The JSON Schema keywords that this test reads. */
interface Schema {
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Field {
  path: string;
  schema: object;
}

/** Returns the fields of an endpoint's response, at any depth, with their schemas. Fields of a union are not included. */
function fieldsOf({ contract }: Endpoint): Field[] {
  const within = ({ items, properties = {} }: Schema, path: string): Field[] =>
    items
      ? within(items, `${path}[]`)
      : Object.entries(properties).flatMap(([name, schema]) => [
          { path: `${path}.${name}`, schema },
          ...within(schema, `${path}.${name}`),
        ]);
  return within(contract.response as Schema, '');
}
