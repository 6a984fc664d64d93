import { setTimeout as sleep } from 'node:timers/promises';
import { isEventKind, isHappening } from '../../shared/events/kinds.ts';
import type { DeclaredName, EventKind, Happening } from '../../shared/resources/registry.ts';
import { maxMids } from '../../shared/sales/mids/schema.ts';
import { inBatches } from '../../shared/table/in-batches.ts';
import { ResponseError } from '../client/client.ts';
import type { Caller, Route, SceneInput } from './caller.ts';
import { CannotCause, type HttpCaller, newKey, parallelCalls } from './http-caller.ts';
import { atPartner, syncedWithPartner } from './partner.ts';
import { settingsOfPayouts } from './payouts.ts';
import { createAt, perform, requestOf } from './perform.ts';
import { recordPaths } from './records.ts';
import { completeDocuments, connectPartner, connectProvider } from './requests.ts';
import { postRun, previewedRun, reachState } from './residuals.ts';

/** Causes an event, in the account of the caller or in another account that it creates. */
type Act = (caller: HttpCaller) => Promise<unknown>;

/** Explains why no request causes an event, and how the event occurs. */
interface NotPossible {
  because: string;
}

/** A path: the creation of the record that it names. A route: a request that succeeds. */
type Cause = `/${string}` | Route | Act | NotPossible;

/** Sends a request with other parts than the scene of its route. */
const sends =
  (route: Route, input: SceneInput | ((caller: HttpCaller) => Promise<SceneInput>)): Act =>
  async (caller) => {
    await perform(caller, route, typeof input === 'function' ? await input(caller) : input);
  };

/** Acts in another account, because an account has at most one payment provider and one partner. */
const inAnother =
  (...causes: (`/${string}` | Route | Act)[]): Act =>
  async (caller) => {
    const account = await caller.another();
    for (const cause of causes) await actOf(cause)(account);
  };

/** Returns the act of a cause. */
export function actOf(cause: Exclude<Cause, NotPossible>): Act {
  if (typeof cause === 'function') return cause;
  return (caller) => (isPath(cause) ? createAt(caller, cause) : perform(caller, cause));
}

const isPath = (cause: `/${string}` | Route): cause is `/${string}` => cause.startsWith('/');

type Change = 'created' | 'updated' | 'deleted';
type ChangeKind = Extract<EventKind | Happening, `${DeclaredName}_${Change}`>;

/** The kinds about the creation, the change and the deletion of a resource's records. */
const changes = Object.fromEntries(
  Object.entries(recordPaths)
    .flatMap(([name, path]) => [
      [`${name}_created`, path] as const,
      [`${name}_updated`, `PATCH ${path}`] as const,
      [`${name}_deleted`, `DELETE ${path}`] as const,
    ])
    .filter(([kind]) => isEventKind(kind) || isHappening(kind)),
) as unknown as Record<ChangeKind, Cause>;

/** Activates an inactive record. Deactivates it immediately, or at the end. */
const activation =
  (path: string, deactivates = false): Act =>
  async (caller) => {
    const { params } = await createAt(caller, path);
    await caller.send(`POST ${path}/activate` as Route, { params });
    const deactivate = () => caller.send(`POST ${path}/deactivate` as Route, { params });
    if (deactivates) await deactivate();
    else caller.atEnd(deactivate);
  };

/** Sends a request of the external API, and reports the record with the same external id. */
const external =
  (route: Route, list: '/leads' | '/applications'): Act =>
  async (caller) => {
    const { params, body } = await requestOf(caller, route);
    const sent = { ...Object(body), ...params } as { externalId: string };
    await caller.send(route, { params, body });
    await foundIn(caller, list, sent.externalId);
  };

/** The longest wait until a list contains a new record, in milliseconds. */
const longestWait = 10_000;

/** Waits until a list has a record with an external id, because the external API returns no ids of records. */
async function foundIn(
  caller: HttpCaller,
  list: '/leads' | '/applications',
  externalId: string,
): Promise<string> {
  type Listed = { data: { id: number | string; externalId?: string }[] };
  for (const deadline = Date.now() + longestWait; ; await sleep(200)) {
    const { data } = await caller.send<Listed>(`GET ${list}`, { query: { pageSize: 100 } });
    const found = data.find((record) => record.externalId === externalId);
    if (found) {
      caller.remains(list, found.id);
      return String(found.id);
    }
    if (Date.now() > deadline) throw new Error(`GET ${list} has no record with the id ${externalId}.`);
  }
}

const { application, document, mid, ticket } = recordPaths;
const externalApplication = '/extapi/applications/{externalId}';
const assignedTo = async (caller: Caller) => ({ body: { assignedTo: await caller.somebody() } });

/** A person or a mail server causes the event, and not a request. */
const byMail: NotPossible = {
  because: 'A mail causes the event. Send one to the local SMTP server, or answer one.',
};

/** The domain of an address must be proved by DNS. */
const byProvedDomain: NotPossible = {
  because:
    'It needs a TXT record of a mail domain. Add the domain with POST /mail-domains, create the record, and send POST /mail-domains/{id}/validate.',
};

/** A user has to set the password with a mailed token before the user can add a factor. */
const byProvedUser: NotPossible = {
  because:
    'Users change factors in their own sessions, after they set their passwords with mailed tokens. Send POST /auth/factors in such a session.',
};

/** Only an identity provider links a member. */
const byProviderUser: NotPossible = {
  because:
    'It needs a sign-in at an identity provider of your own. The event occurs at the first sign-in of a member at GET /auth/sso/start, and when an administrator removes the link.',
};

/** How each event kind and each happening is caused. */
export const causes: Readonly<Record<EventKind | Happening, Cause>> = {
  ...changes,

  lead_qualified: 'POST /leads/{leadId}/qualify',
  lead_disqualified: 'POST /leads/{leadId}/disqualify',
  lead_assigned: 'POST /leads/{leadId}/assign',
  lead_converted: 'POST /leads/{leadId}/convert',
  lead_archived: 'POST /leads/{leadId}/archive',
  lead_unarchived: 'DELETE /leads/{leadId}/archive',

  application_completed: async (caller) =>
    completeDocuments(caller, application, (await createAt(caller, application)).params),
  application_submitted: `POST ${application}/submit`,
  application_sensitive_data_revealed: `GET ${application}`,

  // With the example of its body, the request would make the user an administrator.
  user_updated: sends('PATCH /users/{email}', { body: { phone: '+1 415 555 0135' } }),
  user_removed_from_account: 'DELETE /users/{email}',
  user_logged_in: 'POST /auth/login',
  user_logged_out: 'POST /auth/logout',
  user_password_changed: 'POST /auth/password',
  user_password_reset_requested: 'POST /auth/password-reset-request',
  admin_force_set_password: 'PUT /users/{email}/password',
  user_impersonated: async (caller) => {
    const { params } = await createAt(caller, recordPaths.user);
    caller.atEnd(() => caller.send('DELETE /users/{email}/impersonation', { params }));
    await perform(caller, 'POST /users/{email}/impersonation', { params });
  },
  impersonation_ended: 'DELETE /users/{email}/impersonation',
  sso_connection_created: 'POST /sso-connections',
  sso_connection_updated: 'PATCH /sso-connections/{id}',
  sso_connection_deleted: 'DELETE /sso-connections/{id}',
  sso_identity_linked: byProviderUser,
  sso_identity_unlinked: byProviderUser,
  factor_added: byProvedUser,
  factor_removed: byProvedUser,
  factor_codes_rejected: byProvedUser,
  factor_reset: 'DELETE /users/{email}/factors',
  provisioning_updated: 'PUT /provisioning',
  identity_proved: 'POST /auth/step-up',
  recovery_codes_renewed: byProvedUser,
  user_permissions_set_directly: 'PUT /users/{email}/permissions',
  user_roles_updated: 'PUT /users/{email}/roles',
  user_added_to_account: 'POST /users/{email}/accounts',
  user_account_settings_updated: sends('PUT /users/{email}/notification-preferences', {
    body: [{ event: 'lead_created', deliveryPref: ['website'] }],
  }),

  account_created: (caller) => caller.another(),
  account_updated: async (caller) => {
    const params = { id: caller.account };
    const { portalUrl = null } = await caller.send<{ portalUrl?: string }>('GET /accounts/{id}', { params });
    caller.atEnd(() => caller.send('PATCH /accounts/{id}', { params, body: { portalUrl } }));
    const body = { portalUrl: `https://example.com/${caller.unique()}` };
    await caller.send('PATCH /accounts/{id}', { params, body });
  },
  account_permissions_updated: 'PUT /accounts/{id}/permissions',
  account_deleted: async (caller) => {
    // Opens the account again, because the log of a closed account cannot be read.
    const { by = caller, params } = await requestOf(caller, 'POST /accounts/{id}/reopen');
    await by.send('POST /accounts/{id}/reopen', { params });
  },

  vanity_domain_requested: recordPaths.vanity_domain,
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
  event_request_body_revealed: 'POST /events/{id}/request-body',
  event_response_body_revealed: 'POST /events/{id}/response-body',
  cron_triggered: {
    because:
      'The event occurs when a schedule does something for the account, such as marking a missed SLA target, or starting the retries of a webhook. It occurs at most once per hour and schedule.',
  },
  not_found: rejected(404, 'GET /leads/1'),
  method_not_allowed: rejected(405, 'PUT /leads'),
  no_event_name: recordPaths.view,
  quota_exceeded: exceedMids,
  api_rate_limited: exceedRateLimit,
  healthcheck: {
    because:
      'A schedule commits this event every minute, in a separate account that no caller can read. The alarms on the lag of the consumers use this event.',
  },

  team_activated: activation(recordPaths.team),
  team_deactivated: activation(recordPaths.team, true),
  lead_source_activated: activation(recordPaths.lead_source),
  lead_source_deactivated: activation(recordPaths.lead_source, true),
  role_permissions_updated: 'PUT /roles/{id}/permissions',

  file_upload_url_requested: document,
  file_uploaded: document,
  file_deleted: `DELETE ${document}`,
  file_requested: `GET ${document}/link`,
  file_meta_data_updated: `PATCH ${document}`,

  webhook_delivery_failed: {
    because:
      'The event occurs after ten failed attempts of a delivery, which take about 75 hours. The service emits it at the end of the hour in which the last attempt failed. To see failing attempts at once, run npm run ops -- demo-data create, which creates a failing webhook.',
  },
  webhook_test: 'POST /webhooks/{id}/test',

  merchant_updated: 'PUT /merchants/{merchantId}',
  mid_assigned: sends(`PATCH ${mid}`, async (caller) => ({
    body: { merchantId: (await createAt(caller, recordPaths.merchant)).params.merchantId },
  })),
  mid_activated: sends(`PATCH ${mid}`, async (caller) => {
    const { params } = await createAt(caller, mid, { fields: { status: 'suspended' } });
    return { params, body: { status: 'active' } };
  }),
  mid_suspended: `PATCH ${mid}`,

  invoice_opened: 'POST /invoices/{invoiceId}/open',
  invoice_voided: 'POST /invoices/{invoiceId}/void',
  invoice_credited: 'POST /invoices/{invoiceId}/credits',
  invoice_written_off: 'POST /invoices/{invoiceId}/uncollectible',
  payment_received: 'POST /invoices/{invoiceId}/payments',
  payment_failed: sends('POST /invoices/{invoiceId}/payments', {
    body: { result: 'failed', amount: 10, method: 'card', reference: 'pi_2', reason: 'card_declined' },
  }),
  refund_issued: 'POST /invoices/{invoiceId}/refunds',
  bank_account_updated: 'PUT /billing/bank-accounts/{id}',
  payment_provider_created: inAnother(connectProvider),
  payment_provider_updated: inAnother(connectProvider, 'PUT /billing/provider'),
  payment_provider_secret_rotated: inAnother('POST /billing/provider/rotate-secret'),
  payment_provider_deleted: inAnother('DELETE /billing/provider'),
  mail_domain_updated: byProvedDomain,
  mail_address_created: byProvedDomain,
  mail_address_updated: byProvedDomain,
  mail_address_deleted: byProvedDomain,
  mail_received: byMail,
  mail_queued: byMail,
  mail_quarantined: byMail,
  mail_sent: byMail,
  mail_bounced: byMail,
  mail_failed: byMail,
  mail_attachments_stored: byMail,
  mail_moved: byMail,
  mail_raw_requested: byMail,
  mail_released: byMail,
  unmatched_payment_created: inAnother(recordPaths.unmatched_payment),
  unmatched_payment_assigned: inAnother('POST /billing/unmatched-payments/{unmatchedId}/assign'),
  unmatched_payment_deleted: inAnother(`DELETE ${recordPaths.unmatched_payment}`),

  residual_file_imported: sends(`POST ${recordPaths.residual_file}/complete`, async (caller) => ({
    body: { formatId: (await createAt(caller, recordPaths.residual_format)).params.id },
  })),
  residual_run_approved: `POST ${recordPaths.residual_run}/approve`,
  residual_run_posted: async (caller) => postRun(caller, (await previewedRun(caller)).id),
  residual_run_reversed: async (caller) => {
    const { id } = await previewedRun(caller);
    await postRun(caller, id);
    await caller.send('POST /residual-runs/{id}/reverse', { params: { id } });
    await reachState(caller, id, 'reversed');
  },
  residual_statement_ready: recordPaths.residual_statement,
  residual_statement_approved: 'POST /residual-statements/approve',
  // An account has one bank for its payouts, which these causes would replace.
  payout_created: inAnother(recordPaths.payout),
  payout_downloaded: inAnother(`POST ${recordPaths.payout}/file`),
  payout_cancelled: inAnother(`POST ${recordPaths.payout}/cancel`),
  payout_result_recorded: inAnother(`POST ${recordPaths.payout}/entries/{n}/result`),
  payout_returned: inAnother('POST /residual-payouts/returns'),
  payout_account_updated: `PUT ${recordPaths.payout_account}`,
  payout_settings_created: inAnother('PUT /payout-settings'),
  payout_settings_updated: inAnother(
    'PUT /payout-settings',
    sends('PUT /payout-settings', { body: settingsOfPayouts('Another name') }),
  ),

  extapi_lead_created: external('POST /extapi/leads', '/leads'),
  extapi_lead_batch_submitted: async (caller) => {
    const leads = await Promise.all(
      [0, 1].map(async () => (await requestOf(caller, 'POST /extapi/leads')).body),
    );
    await caller.send('POST /extapi/leads/batch', { body: { leads } });
    for (const { externalId } of leads as { externalId: string }[])
      await foundIn(caller, '/leads', externalId);
  },
  extapi_application_submitted: external(`POST ${externalApplication}/submit`, '/applications'),
  extapi_application_updated: external(`PATCH ${externalApplication}`, '/applications'),
  extapi_documents_transferred: external(
    `POST ${externalApplication}/documents/{documentId}/complete`,
    '/applications',
  ),
  extapi_status_change: async (caller) => {
    const { externalId = '' } = (await createAt(caller, externalApplication)).params;
    const applicationId = await foundIn(caller, '/applications', String(externalId));
    await perform(caller, `POST ${application}/submit`, { params: { applicationId } });
  },

  underwriting_application_assigned: sends(`PATCH ${application}/underwriting`, assignedTo),
  underwriting_application_priority_changed: `PATCH ${application}/underwriting`,
  underwriting_decision_made: `POST ${application}/decision`,
  underwriting_note_added: `POST ${application}/notes`,
  underwriting_risk_assessment_generated: `POST ${application}/risk-assessment`,
  underwriting_auto_rule_created: recordPaths.underwriting_rule,
  underwriting_auto_rule_updated: 'PATCH /underwriting-rules/{id}',
  underwriting_auto_rule_toggled: 'POST /underwriting-rules/{id}/toggle',
  underwriting_auto_rule_tested: 'POST /underwriting-rules/{id}/test',

  partner_webhook_received: atPartner({}),
  application_sent_to_partner: atPartner({ silent: true }),
  partner_integration_error: atPartner({ failing: 422 }),
  partner_status_synced: syncedWithPartner,
  partner_status_updated: atPartner({}),
  partner_documents_transferred: atPartner({}),
  partner_note_received: atPartner({}),
  partner_connection_created: inAnother(connectPartner),
  partner_connection_updated: inAnother(connectPartner, 'PUT /integrations/partner/connection'),
  partner_connection_secret_rotated: inAnother('POST /integrations/partner/connection/rotate-secret'),
  partner_connection_deleted: inAnother('DELETE /integrations/partner/connection'),
  ticket_type_mapping_updated: 'PUT /integrations/partner/ticket-type-mappings/{id}',

  ticket_type_updated: 'PUT /ticket-types/{id}',
  ticket_type_status_changed: 'PATCH /ticket-types/{id}/status',
  ticket_rotation_status_changed: async (caller) => {
    const { params } = await createAt(caller, recordPaths.ticket_rotation);
    const change = (status: string) =>
      caller.send('PATCH /ticket-rotations/{id}', { params, body: { status } });
    caller.atEnd(() => change('inactive'));
    await change('active');
  },
  ticket_rotation_position_reset: 'POST /ticket-rotations/{id}/reset',
  ticket_assigned: sends(`PATCH ${ticket}`, assignedTo),
  ticket_status_changed: `PATCH ${ticket}`,
  ticket_comment_added: `POST ${ticket}/comments`,
};

/**
 * Sends a request that the service rejects. A new API key sends it, because the event occurs at most once a minute and
 * caller.
 */
function rejected(status: number, route: Route): Act {
  return async (caller) => {
    const key = await newKey(caller, ['readLeads']);
    const sent = (await caller.as(key)).send(route);
    const error = await sent.then(
      () => new Error(`The service accepts ${route}.`),
      (reason: unknown) => reason,
    );
    if (!(error instanceof ResponseError && error.status === status)) throw error;
  };
}

/** Adds MIDs to a new merchant until the service refuses one. */
async function exceedMids(caller: HttpCaller): Promise<void> {
  const { params: parents } = await createAt(caller, recordPaths.merchant);
  const add = () =>
    createAt(caller, mid, { parents }).then(
      () => false,
      (error: unknown) => {
        if (error instanceof ResponseError && error.code === 'quota_exceeded') return true;
        throw error;
      },
    );
  const refused = await inBatches(parallelCalls, Array.from({ length: maxMids + 1 }), add);
  if (!refused.includes(true)) throw new Error(`The service accepts more than ${maxMids} MIDs.`);
}

/** If the rate limit is above this number of requests per minute, the command does not try to exceed it. */
const highestLimit = 6000;
/** The rate limit counts a list in another order as this many requests. */
const sortWeight = 10;

/** Sorts lists with a new API key until the service rejects a request. */
async function exceedRateLimit(caller: HttpCaller): Promise<void> {
  const key = await newKey(caller, ['readLeads']);
  const client = caller.connect({ ...key, retries: 0 });
  const { response } = await client.GET('/leads');
  const limit = Number(response.headers.get('ratelimit-limit'));
  if (!(limit <= highestLimit))
    throw new CannotCause(
      `The service allows ${limit} requests per minute, too many for this command. Start the local service with REQUESTS_PER_MINUTE=600 npm start.`,
    );
  // Sends twice the number of the limit, because the service counts from zero again if a new minute starts meanwhile.
  const requests = (2 * limit) / sortWeight + parallelCalls;
  const sort = () => client.GET('/leads', { params: { query: { sort: 'lastName' } } });
  try {
    await inBatches(parallelCalls, Array.from({ length: requests }), sort);
  } catch (error) {
    if (error instanceof ResponseError && error.status === 429) return;
    throw error;
  }
  throw new Error(`The service accepts more than ${limit} requests per minute.`);
}
