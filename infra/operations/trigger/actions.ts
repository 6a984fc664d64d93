import { randomBytes } from 'node:crypto';
import { examples } from '../../../shared/resources/derived.ts';
import type { EventKind, ExampleName, Happening } from '../../../shared/resources/registry.ts';
import { maxMids } from '../../../shared/sales/mids/schema.ts';
import { inBatches } from '../../../shared/table/in-batches.ts';
import { ResponseError } from '../../client/client.ts';
import { type Caller, parallelCalls, type TriggeredSubject } from './caller.ts';
import { happeningTriggers } from './happenings.ts';
import { type Act, on, type Trigger } from './on.ts';
import { CannotTrigger, otherAccount } from './other-account.ts';
import { partnerTriggers } from './partner.ts';
import {
  apiKey,
  application,
  childAccount,
  completeApplication,
  document,
  draftInvoice,
  example,
  externalApplication,
  externalLead,
  externalLeads,
  lead,
  merchant,
  mid,
  newMid,
  note,
  openedInvoice,
  role,
  rotation,
  submittedApplication,
  ticket,
  ticketType,
  ticketTypeSettings,
  underwritingRule,
  user,
  userWithPassword,
  vanityDomain,
  webhook,
} from './records.ts';
import { revealBody } from './reveal-body.ts';

const onLead = on(lead);
const onApplication = on(application);
const onDocument = on(document);
const onMerchant = on(merchant);
const onTicket = on(ticket);
const onTicketType = on(ticketType);
const onLeadRotation = on((caller) => rotation(caller, '/lead-rotations'));
const onTicketRotation = on((caller) => rotation(caller, '/ticket-rotations'));
const onRule = on(underwritingRule);
const onInvoice = on(openedInvoice);
const onUser = on(user);
const onKey = on(apiKey);

/** Activates an inactive record, and deactivates it at the end. */
const activation =
  (name: ExampleName): Act =>
  async (caller) => {
    const { id, path } = await example(caller, name, { active: false });
    caller.atEnd(() => caller.send('POST', `${path}/deactivate`));
    await caller.send('POST', `${path}/activate`);
    return { id };
  };

const deactivation = (name: ExampleName): Act =>
  on((caller) => example(caller, name, { active: true }))('POST', '/deactivate');

type ExampleKind = `${ExampleName}_${'created' | 'updated' | 'deleted'}`;

/** The actions for records whose declaration contains an example. */
const exampleTriggers = Object.fromEntries(
  Object.entries(examples).flatMap(([name, { change }]) => {
    const create = (caller: Caller) => example(caller, name as ExampleName);
    return [
      [`${name}_created`, create],
      [`${name}_updated`, on(create)('PATCH', '', change)],
      [`${name}_deleted`, on(create)('DELETE')],
    ];
  }),
) as Record<ExampleKind, Act>;

/** The action for each event kind and each happening that the service emits. */
export const triggers: Readonly<Record<EventKind | Happening, Trigger>> = {
  ...exampleTriggers,
  ...happeningTriggers,

  lead_created: lead,
  lead_updated: onLead('PATCH', '', { notes: 'Asked for a call next week.' }),
  lead_deleted: onLead('DELETE'),
  lead_qualified: onLead('POST', '/qualify', { reason: 'Wants to switch this year.' }),
  lead_disqualified: onLead('POST', '/disqualify', { reason: 'Asked for a call next year.' }),
  lead_assigned: async (caller) => {
    const [{ id, path }, { id: assignedTo }] = await Promise.all([lead(caller), user(caller)]);
    await caller.send('POST', `${path}/assign`, { assignedTo });
    return { id };
  },
  lead_converted: onLead('POST', '/convert'),
  lead_archived: onLead('POST', '/archive'),
  lead_unarchived: async (caller) => {
    const { id, path } = await lead(caller);
    await caller.send('POST', `${path}/archive`);
    await caller.send('DELETE', `${path}/archive`);
    return { id };
  },

  application_created: application,
  application_updated: onApplication('PATCH', '', { businessHistory: { yearsInBiz: 40 } }),
  application_deleted: onApplication('DELETE'),
  application_completed: completeApplication,
  application_submitted: submittedApplication,
  application_sensitive_data_revealed: onApplication('GET'),

  user_created: user,
  user_updated: onUser('PATCH', '', { phone: '+1 415 555 0134' }),
  user_deleted: onUser('DELETE'),
  user_removed_from_account: onUser('DELETE'),
  user_logged_in: async (caller) => {
    const { id, ...credentials } = await userWithPassword(caller);
    await caller.as({})('POST', '/auth/login', credentials);
    return { id };
  },
  user_logged_out: async (caller) => {
    const { id, ...credentials } = await userWithPassword(caller);
    await caller.as(credentials)('POST', '/auth/logout');
    return { id };
  },
  user_password_changed: async (caller) => {
    const { id, ...credentials } = await userWithPassword(caller);
    const newPassword = randomBytes(12).toString('base64url');
    const body = { currentPassword: credentials.password, newPassword };
    await caller.as(credentials)('POST', '/auth/password', body);
    return { id };
  },
  user_password_reset_requested: async (caller) => {
    const { id, email } = await user(caller);
    await caller.as({})('POST', '/auth/password-reset-request', { email });
    return { id };
  },
  admin_force_set_password: userWithPassword,
  user_impersonated: async (caller) => {
    const { id, path } = await user(caller);
    caller.atEnd(() => caller.send('DELETE', `${path}/impersonation`));
    await caller.send('POST', `${path}/impersonation`, { reason: 'npm run ops -- events trigger' });
    return { id };
  },
  user_permissions_set_directly: onUser('PUT', '/permissions', { flatPermissionsList: ['readLeads'] }),
  user_roles_updated: async (caller) => {
    const [{ id, path }, { name }] = await Promise.all([user(caller), role(caller)]);
    await caller.send('PUT', `${path}/roles`, { roles: [name] });
    return { id };
  },
  user_added_to_account: async (caller) => {
    const { adminEmail } = await otherAccount(caller);
    const { id } = await caller.send('POST', `/users/${adminEmail}/accounts`);
    return { id: String(id) };
  },
  user_account_settings_updated: async (caller) => {
    const { id, path } = await user(caller);
    const rules = [{ event: 'lead_created', deliveryPref: ['website'] }];
    await caller.send('PUT', `${path}/notification-preferences`, rules);
    return { id };
  },

  account_created: async (caller) => {
    const { accountId: id, apiKey, apiSecret } = await otherAccount(caller);
    return { id, log: caller.as({ apiKey, apiSecret, account: id }) };
  },
  account_updated: async ({ send, account, atEnd }) => {
    const path = `/accounts/${account}`;
    const { portalUrl = null } = await send<{ portalUrl?: string }>('GET', path);
    atEnd(() => send('PATCH', path, { portalUrl }));
    await send('PATCH', path, { portalUrl: `https://example.com/${randomBytes(5).toString('hex')}` });
    return { id: account };
  },
  account_permissions_updated: on(childAccount)('PUT', '/permissions', { permissions: [] }),

  account_deleted: async (caller) => {
    const { accountId: id, adminEmail: email, adminPassword: password } = await otherAccount(caller);
    const log = caller.as({ email, password, account: id });
    const { name } = await log<{ name: string }>('GET', `/accounts/${id}`);
    await log('DELETE', `/accounts/${id}?confirmName=${encodeURIComponent(name)}`);
    // The log of a closed account cannot be read.
    await log('POST', `/accounts/${id}/reopen`);
    return { id, log };
  },

  vanity_domain_requested: vanityDomain,
  vanity_domain_deleted: on(vanityDomain)('DELETE'),
  vanity_domain_validated: {
    because:
      'It needs a TXT record in the DNS of a domain of your own. The event occurs when an administrator validates the domain.',
  },
  vanity_domain_activated: {
    because:
      'It needs a validated domain that serves a file over HTTPS. The event occurs when an administrator activates the domain.',
  },

  system_error: {
    because:
      'No request is expected to fail with status 500. The event occurs when a request of the account fails because of a defect or a failing AWS service. It occurs at most once per minute and route.',
  },
  event_request_body_revealed: (caller) => revealBody(caller, 'request'),
  event_response_body_revealed: (caller) => revealBody(caller, 'response'),

  cron_triggered: {
    because:
      'The event occurs when a schedule does something for the account, such as marking a missed SLA target, or starting the retries of a webhook. It occurs at most once per hour and schedule.',
  },
  not_found: (caller) => rejected(caller, 404, 'GET', '/leads/1'),
  method_not_allowed: (caller) => rejected(caller, 405, 'PUT', '/leads'),
  no_event_name: happeningTriggers.view_created,
  quota_exceeded: exceedMids,
  api_rate_limited: exceedRateLimit,
  healthcheck: {
    because:
      'A schedule commits this event every minute, in a separate account that no caller can read. The alarms on the lag of the consumers use this event.',
  },

  api_key_created: apiKey,
  api_key_updated: onKey('PATCH', '', { description: 'npm run ops -- events trigger, changed' }),
  api_key_deleted: onKey('DELETE'),

  lead_rotation_created: (caller) => rotation(caller, '/lead-rotations'),
  lead_rotation_updated: onLeadRotation('PATCH', '', { name: 'Trigger, changed' }),
  lead_rotation_deleted: onLeadRotation('DELETE'),

  team_activated: activation('team'),
  team_deactivated: deactivation('team'),

  role_created: role,
  role_deleted: on(role)('DELETE'),
  role_permissions_updated: on(role)('PUT', '/permissions', {
    flatPermissionsList: ['readLeads', 'writeLeads'],
  }),

  file_upload_url_requested: document,
  file_uploaded: document,
  file_deleted: onDocument('DELETE'),
  file_requested: onDocument('GET', '/link'),
  file_meta_data_updated: onDocument('PATCH', '', { status: 'approved' }),

  note_created: note,
  note_deleted: on(note)('DELETE'),
  note_updated: on(note)('PATCH', '', { content: 'Asked for two terminals.' }),

  lead_source_activated: activation('lead_source'),
  lead_source_deactivated: deactivation('lead_source'),

  webhook_created: webhook,
  webhook_updated: on(webhook)('PATCH', '', { description: 'npm run ops -- events trigger, changed' }),
  webhook_deleted: on(webhook)('DELETE'),
  webhook_delivery_failed: {
    because:
      'The event occurs after ten failed attempts of a delivery, which take about 75 hours. The service emits it at the end of the hour in which the last attempt failed. To see failing attempts at once, run npm run ops -- demo-data create, which creates a failing webhook.',
  },
  webhook_test: on(webhook)('POST', '/test'),

  merchant_created: merchant,
  merchant_updated: onMerchant('PUT', '', { riskLevel: 'low' }),
  merchant_deleted: onMerchant('DELETE'),

  invoice_created: draftInvoice,
  payment_received: openedInvoice,
  payment_failed: onInvoice('POST', '/payments', {
    result: 'failed',
    amount: 500,
    method: 'card',
    reference: 'trigger-failed',
    reason: 'card_declined',
  }),
  refund_issued: onInvoice('POST', '/refunds', { amount: 500, reference: 'trigger-refund' }),

  extapi_lead_created: externalLead,
  extapi_lead_batch_submitted: externalLeads,
  extapi_application_submitted: async (caller) => {
    const { send, path, id } = await externalApplication(caller, true);
    await send('POST', `${path}/submit`);
    return { id };
  },
  extapi_application_updated: async (caller) => {
    const { send, path, id } = await externalApplication(caller);
    await send('PATCH', path, { businessHistory: { yearsInBiz: 40 } });
    return { id };
  },
  extapi_documents_transferred: (caller) => externalApplication(caller, true),
  extapi_status_change: async (caller) => {
    const { id } = await externalApplication(caller, true);
    await caller.send('POST', `/applications/${id}/submit`);
    return { id };
  },

  underwriting_application_assigned: async (caller) => {
    const [{ id, path }, { id: assignedTo }] = await Promise.all([application(caller), user(caller)]);
    await caller.send('PATCH', `${path}/underwriting`, { assignedTo });
    return { id };
  },
  underwriting_application_priority_changed: onApplication('PATCH', '/underwriting', {
    priority: 'high',
  }),
  underwriting_decision_made: on(submittedApplication)('POST', '/decision', {
    decision: 'approved',
  }),
  underwriting_note_added: onApplication('POST', '/notes', { content: 'Called the bank.' }),
  underwriting_risk_assessment_generated: onApplication('POST', '/risk-assessment'),
  underwriting_auto_rule_created: underwritingRule,
  underwriting_auto_rule_updated: onRule('PATCH', '', { priority: 200 }),
  underwriting_auto_rule_toggled: onRule('POST', '/toggle', { mode: 'shadow' }),
  underwriting_auto_rule_tested: onRule('POST', '/test', {
    from: new Date(Date.now() - 30 * 86_400_000).toISOString(),
  }),

  ...partnerTriggers,

  mid_created: mid,
  mid_updated: on(mid)('PATCH', '', { mid: newMid() }),
  mid_deleted: on(mid)('DELETE'),
  mid_assigned: async (caller) => {
    const [{ id, path }, { id: merchantId }] = await Promise.all([mid(caller), merchant(caller)]);
    await caller.send('PATCH', path, { merchantId: Number(merchantId) });
    return { id };
  },
  mid_activated: on((caller) => mid(caller, { status: 'suspended' }))('PATCH', '', { status: 'active' }),
  mid_suspended: on(mid)('PATCH', '', { status: 'suspended' }),

  ticket_type_created: ticketType,
  ticket_type_updated: onTicketType('PUT', '', ticketTypeSettings()),
  ticket_type_deleted: onTicketType('DELETE'),
  ticket_type_status_changed: onTicketType('PATCH', '/status', { isActive: false }),

  ticket_rotation_created: (caller) => rotation(caller, '/ticket-rotations'),
  ticket_rotation_updated: onTicketRotation('PATCH', '', { name: 'Trigger, changed' }),
  ticket_rotation_deleted: onTicketRotation('DELETE'),
  ticket_rotation_status_changed: async (caller) => {
    const { id, path } = await rotation(caller, '/ticket-rotations');
    caller.atEnd(() => caller.send('PATCH', path, { status: 'inactive' }));
    await caller.send('PATCH', path, { status: 'active' });
    return { id };
  },
  ticket_rotation_position_reset: onTicketRotation('POST', '/reset'),

  ticket_created: ticket,
  ticket_updated: onTicket('PATCH', '', { tags: ['Printer'] }),
  ticket_deleted: onTicket('DELETE'),
  ticket_assigned: async (caller) => {
    const [{ id, path }, { id: assignedTo }] = await Promise.all([ticket(caller), user(caller)]);
    await caller.send('PATCH', path, { assignedTo });
    return { id };
  },
  ticket_status_changed: onTicket('PATCH', '', { status: 'in_progress' }),
  ticket_comment_added: onTicket('POST', '/comments', { body: 'Which lamp is on?' }),
};

/**
 * Sends a request that the service rejects. A new API key sends it, because the event occurs at most once a minute and
 * caller.
 */
async function rejected(
  caller: Caller,
  status: number,
  method: 'GET' | 'PUT',
  path: string,
): Promise<TriggeredSubject> {
  const { apiKey: key, apiSecret } = await apiKey(caller, ['readLeads']);
  try {
    await caller.as({ apiKey: key, apiSecret })(method, path);
  } catch (error) {
    if (error instanceof ResponseError && error.status === status) return { id: caller.account };
    throw error;
  }
  throw new Error(`The service accepts ${method} ${path}.`);
}

/** Adds MIDs to a new merchant until the service refuses one. */
async function exceedMids(caller: Caller): Promise<TriggeredSubject> {
  const { path } = await merchant(caller);
  const add = () =>
    caller.send('POST', `${path}/mids`, { mid: newMid() }).then(
      () => false,
      (error: unknown) => {
        if (error instanceof ResponseError && error.code === 'quota_exceeded') return true;
        throw error;
      },
    );
  const refused = await inBatches(parallelCalls, Array.from({ length: maxMids + 1 }), add);
  if (!refused.includes(true)) throw new Error(`The service accepts more than ${maxMids} MIDs.`);
  return { id: caller.account };
}

/** If the rate limit is above this number of requests per minute, the command does not try to exceed it. */
const highestLimit = 6000;
/** The rate limit counts a list in another order as this many requests. */
const sortWeight = 10;

/** Sorts lists with a new API key until the service rejects a request. */
async function exceedRateLimit(caller: Caller): Promise<TriggeredSubject> {
  const { id, apiKey: key, apiSecret } = await apiKey(caller, ['readLeads']);
  const client = caller.connect({ apiKey: key, apiSecret, retries: 0 });
  const { response } = await client.GET('/leads');
  const limit = Number(response.headers.get('ratelimit-limit'));
  if (!(limit <= highestLimit))
    throw new CannotTrigger(
      `The service allows ${limit} requests per minute, too many for this command. Start the local service with REQUESTS_PER_MINUTE=600 npm start.`,
    );
  // Sends twice the number of the limit, because the service counts from zero again if a new minute starts meanwhile.
  const requests = (2 * limit) / sortWeight + parallelCalls;
  const sort = () => client.GET('/leads', { params: { query: { sort: 'lastName' } } });
  try {
    await inBatches(parallelCalls, Array.from({ length: requests }), sort);
  } catch (error) {
    if (error instanceof ResponseError && error.status === 429) return { id };
    throw error;
  }
  throw new Error(`The service accepts more than ${limit} requests per minute.`);
}
