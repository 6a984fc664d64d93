import {
  array,
  boolean,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  recordId,
  type Static,
  string,
  type TSchema,
  unsafe,
} from '../schema.ts';
import type { Changes } from './changes.ts';
import type { EventKind } from './kinds.ts';

/** What is known of a kind that something in the service emits. */
interface Emitted<T extends readonly string[], S extends TSchema> {
  /** What its events can be about. */
  subjects: T;
  /** The data of its events. */
  schema: S;
  description: string;
}

/** A kind that subscriptions and preferences may name and that nothing emits yet. */
interface Reserved<T extends readonly string[]> {
  subjects: T;
  schema?: undefined;
  description: string;
}

const emitted = <const T extends readonly string[], S extends TSchema>(
  subjects: T,
  schema: S,
  description: string,
): Emitted<T, S> => ({ subjects, schema, description });

const reserved = <const T extends string>(subject: T, description: string): Reserved<readonly [T]> => ({
  subjects: [subject],
  description,
});

/** What changed, by field or path. */
const changes = unsafe<Changes>({
  type: 'object',
  additionalProperties: { type: 'object', properties: { from: {}, to: {} }, additionalProperties: false },
  description:
    'By field, or by path in a nested record: what it was and what it is. Of a value that is sensitive, or too large, neither.',
  examples: [{ name: { from: 'Harbor Street', to: 'Harbor Street Coffee' } }],
});
const changed = object({ changes });
/** Of a kind that says everything by its name. */
const noData = unsafe<NoData>({ type: 'object', properties: {}, additionalProperties: false });
/** What was before and what is now; absent is nobody, or none. */
const user = string({ description: 'The id of a user.', examples: ['214563398120449'] });
const fromToUser = object({ from: optional(user), to: optional(user) });
const reasoned = object({ reason: optional(string({ examples: ['Asked for a call next year.'] })) });
/** Where a bulk made the change. */
const ofBulk = {
  bulkId: optional(
    string({
      description: 'Of the bulk that made the change.',
      examples: ['bulk_5f0d7a1c9be24386a1c2d3e4f5061728'],
    }),
  ),
};
/** A document, which hangs on the record that the subject names as its parent. */
const document = {
  documentId: recordId(),
  documentKey: string({ examples: ['voided-check'] }),
  name: string({ examples: ['scan.pdf'] }),
  contentType: string({ examples: ['application/pdf'] }),
  size: integer({ description: 'In bytes.', examples: [48_213] }),
};

/** The data of a changed ticket. A target that was not met is a change of its own. */
const changedTicket = object({ changes, ...ofBulk });
const breachedTicket = object({
  change: oneOf(['sla_breached']),
  target: oneOf(['firstResponse', 'resolution']),
  breachedAt: dateTime({ description: 'Its due, or the change that put the due into the past.' }),
  ...ofBulk,
});
const ticketUpdated = unsafe<Static<typeof changedTicket> | Static<typeof breachedTicket>>({
  anyOf: [changedTicket, breachedTicket],
});

/**
 * Every event kind: what its events are about, their data, and what it means in one sentence.
 * All that is known of kinds follows from it: the types of what is emitted, the permissions to read it, GET /event-kinds,
 * the webhooks of the OpenAPI document. Code that is deployed imports its types alone, as schemas are not for bundles.
 */
export const eventCatalogue = {
  lead_created: emitted(
    ['lead'],
    object({
      changes,
      unassigned: optional(unsafe<true>({ const: true, description: 'Its rotation has nobody eligible.' })),
    }),
    'A lead was created.',
  ),
  lead_updated: emitted(['lead'], changed, 'Fields of a lead changed.'),
  lead_deleted: emitted(['lead'], noData, 'A lead was deleted.'),
  lead_qualified: emitted(['lead'], reasoned, 'A lead was qualified.'),
  lead_disqualified: emitted(['lead'], reasoned, 'A lead was disqualified.'),
  lead_assigned: emitted(['lead'], fromToUser, 'A lead has another assignee, or none any more.'),
  lead_converted: emitted(
    ['lead'],
    object({ applicationId: string({ examples: ['app_65YB3N0G2M1'] }) }),
    'An application was made from a lead.',
  ),
  lead_archived: emitted(['lead'], noData, 'A lead was archived.'),
  lead_unarchived: emitted(['lead'], noData, 'A lead was taken out of the archive.'),

  application_created: emitted(['application'], changed, 'An application was created.'),
  application_updated: emitted(['application'], changed, 'Fields of an application changed.'),
  application_deleted: emitted(['application'], noData, 'An application was deleted.'),
  application_completed: emitted(['application'], noData, 'An application was complete for the first time.'),
  application_submitted: emitted(['application'], noData, 'An application was submitted.'),
  application_sensitive_data_revealed: emitted(
    ['application', 'merchant'],
    object({
      fields: unsafe<readonly string[]>({
        ...array(string({ examples: ['basics.dbaTaxId'] }), { description: 'Their paths.' }),
      }),
    }),
    'Sensitive values of an application or of a merchant were shown.',
  ),

  user_created: emitted(['user'], changed, 'A user was created, and invited.'),
  user_updated: emitted(['user'], changed, 'A user, or what it is in the account, changed.'),
  user_deleted: emitted(['user'], noData, 'A user was deleted.'),
  user_logged_in: emitted(
    ['user', 'api_key'],
    object({ method: oneOf(['password', 'api_key']) }),
    'A user or an API key logged in.',
  ),
  user_logged_out: emitted(
    ['user', 'api_key'],
    object({ sessions: oneOf(['one', 'all']) }),
    'A user or an API key logged out.',
  ),
  user_password_changed: emitted(
    ['user'],
    object({ by: oneOf(['password', 'token'], { description: 'What proved the right to it.' }) }),
    'A user set a new password.',
  ),
  user_password_reset_requested: emitted(
    ['user'],
    noData,
    'A mail that resets a user’s password was asked for.',
  ),
  admin_force_set_password: emitted(['user'], noData, 'An administrator set a user’s password.'),
  user_impersonated: reserved('user', 'Somebody acted in the name of a user.'),
  user_permissions_set_directly: emitted(
    ['user'],
    changed,
    'A user’s own permissions, beside its roles, were set.',
  ),
  user_roles_updated: emitted(
    ['user'],
    object({
      from: array(string({ examples: ['Sales agent'] })),
      to: array(string({ examples: ['Underwriter'] })),
    }),
    'A user’s roles were set.',
  ),
  user_added_to_account: emitted(
    ['user'],
    changed,
    'A user who exists elsewhere was invited to the account.',
  ),
  user_removed_from_account: emitted(['user'], noData, 'A user’s membership of the account ended.'),
  user_account_settings_updated: emitted(['user'], changed, 'A user’s notification preferences changed.'),

  account_created: emitted(['account'], changed, 'The account was created.'),
  account_updated: emitted(['account'], changed, 'Settings of the account changed.'),
  account_deleted: reserved('account', 'The account was deleted.'),
  account_permissions_updated: reserved('account', 'What the account may do changed.'),
  account_type_created: reserved('account', 'A type of accounts was created.'),
  account_type_deleted: reserved('account', 'A type of accounts was deleted.'),
  account_type_updated: reserved('account', 'A type of accounts changed.'),

  invoice_created: reserved('account', 'An invoice was created.'),
  payment_received: reserved('account', 'A payment arrived.'),
  payment_failed: reserved('account', 'A payment failed.'),
  refund_issued: reserved('account', 'A refund was issued.'),

  event_request_body_revealed: reserved('account', 'The body of a request in the log was shown.'),
  event_response_body_revealed: reserved('account', 'The body of a response in the log was shown.'),

  system_error: emitted(
    ['account'],
    object({
      requestId: string({
        description: 'The x-request-id of the request that failed.',
        examples: ['5c3f2a9e-8d41-4b7a-9e0f-6a1b2c3d4e5f'],
      }),
      route: string({ examples: ['PATCH /leads/{leadId}'] }),
    }),
    'A request of the account ended in 500. There is at most one event per minute and route.',
  ),
  quota_exceeded: emitted(
    ['account'],
    object({ quota: string({ description: 'The path whose quota was met.', examples: ['/webhooks'] }) }),
    'The account asked for more of something than it may have.',
  ),
  api_rate_limited: emitted(
    ['user', 'api_key', 'application'],
    object({
      limit: integer({ description: 'Requests in a minute.', examples: [600] }),
      minute: string({ examples: ['2026-03-01T09:30'] }),
    }),
    'Somebody sent more requests in a minute than the limit.',
  ),
  cron_triggered: reserved('account', 'Something ran by the clock.'),
  healthcheck: emitted(['account'], noData, 'The service checks that its events arrive.'),
  not_found: reserved('account', 'A request named a path that there is not.'),
  method_not_allowed: reserved('account', 'A request had a method that its path does not take.'),
  no_event_name: reserved('account', 'Something happened that has no kind of its own.'),

  api_key_created: emitted(['api_key'], changed, 'An API key was created.'),
  api_key_updated: emitted(['api_key'], changed, 'An API key, or its permissions, changed.'),
  api_key_deleted: emitted(['api_key'], noData, 'An API key was deleted.'),

  lead_rotation_created: emitted(['lead_rotation'], changed, 'A lead rotation was created.'),
  lead_rotation_updated: emitted(['lead_rotation'], changed, 'A lead rotation changed.'),
  lead_rotation_deleted: emitted(['lead_rotation'], noData, 'A lead rotation was deleted.'),

  team_created: emitted(['team'], changed, 'A team was created.'),
  team_updated: emitted(['team'], changed, 'A team changed.'),
  team_deleted: emitted(['team'], noData, 'A team was deleted.'),
  team_activated: emitted(['team'], noData, 'A team was activated.'),
  team_deactivated: emitted(['team'], noData, 'A team was deactivated.'),

  role_created: emitted(['role'], changed, 'A role was created.'),
  role_deleted: emitted(['role'], noData, 'A role was deleted.'),
  role_permissions_updated: emitted(['role'], changed, 'A role, or its permissions, changed.'),

  file_upload_url_requested: emitted(
    ['document'],
    object(document),
    'A file was described and may be uploaded.',
  ),
  file_uploaded: emitted(['document'], object(document), 'A file was uploaded.'),
  file_deleted: emitted(['document'], object(document), 'A file was deleted.'),
  file_requested: emitted(['document'], object(document), 'Somebody got the address of a file.'),
  file_meta_data_updated: emitted(
    ['document'],
    object({ ...document, changes }),
    'Something else is said of a file: its name, its key, or whether it is approved.',
  ),

  note_created: emitted(['note'], changed, 'A note about a merchant was written.'),
  note_deleted: emitted(['note'], object({ merchantId: recordId() }), 'A note about a merchant was deleted.'),
  note_updated: emitted(['note'], changed, 'A note about a merchant changed.'),

  lead_source_created: emitted(['lead_source'], changed, 'A lead source was created.'),
  lead_source_updated: emitted(['lead_source'], changed, 'A lead source changed.'),
  lead_source_deleted: emitted(['lead_source'], noData, 'A lead source was deleted.'),
  lead_source_activated: emitted(['lead_source'], noData, 'A lead source was activated.'),
  lead_source_deactivated: emitted(['lead_source'], noData, 'A lead source was deactivated.'),

  webhook_created: emitted(['webhook'], changed, 'A webhook was created.'),
  webhook_updated: emitted(
    ['webhook'],
    object({
      changes,
      reason: optional(
        string({ description: 'Why the service disabled it.', examples: ['It answered 410 Gone.'] }),
      ),
    }),
    'A webhook changed, or the service disabled it.',
  ),
  webhook_deleted: emitted(['webhook'], noData, 'A webhook was deleted.'),
  webhook_delivery_failed: emitted(
    ['webhook'],
    object({
      failures: integer({ description: 'How many deliveries it stands for.', examples: [3] }),
      eventId: recordId({ description: 'Of the newest event that was not delivered.' }),
      error: string({ description: 'Of the last attempt.', examples: ['It answered 500.'] }),
    }),
    'Deliveries to a webhook were given up: one event an hour and webhook, never to that webhook.',
  ),
  webhook_test: emitted(['webhook'], noData, 'Somebody tests a webhook.'),

  merchant_created: emitted(['merchant'], changed, 'A merchant was created.'),
  merchant_updated: emitted(['merchant'], changed, 'A merchant, or its equipment, changed.'),
  merchant_deleted: emitted(['merchant'], noData, 'A merchant was deleted.'),

  underwriting_application_assigned: emitted(
    ['application'],
    fromToUser,
    'Another underwriter judges an application, or nobody any more.',
  ),
  underwriting_application_priority_changed: emitted(
    ['application'],
    object({
      from: optional(string({ examples: ['medium'] })),
      to: optional(string({ examples: ['high'] })),
    }),
    'An application is to be judged sooner or later than before.',
  ),
  underwriting_decision_made: emitted(
    ['application'],
    object({
      decision: oneOf(['approved', 'rejected', 'info_requested']),
      reason: optional(string({ examples: ['The volume does not fit the business.'] })),
      requested: optional(
        array(string({ examples: ['basics.dbaTaxId'] }), {
          description: 'The fields and documents that are asked for.',
        }),
      ),
      merchantId: optional(recordId({ description: 'The merchant that an approval makes.' })),
    }),
    'An application was approved or rejected, or more was asked for.',
  ),
  underwriting_note_added: emitted(
    ['application'],
    object({ noteId: recordId() }),
    'An underwriter wrote a note about an application.',
  ),
  underwriting_risk_assessment_generated: emitted(
    ['application'],
    object({
      score: integer({ examples: [40] }),
      level: oneOf(['low', 'medium', 'high', 'critical']),
    }),
    'The risk of an application was assessed.',
  ),
  underwriting_auto_rule_created: reserved('account', 'A rule of automatic underwriting was created.'),
  underwriting_auto_rule_updated: reserved('account', 'A rule of automatic underwriting changed.'),
  underwriting_auto_rule_toggled: reserved(
    'account',
    'A rule of automatic underwriting was switched on or off.',
  ),
  underwriting_auto_rule_tested: reserved('account', 'A rule of automatic underwriting was tried.'),

  partner_webhook_received: reserved('account', 'The partner sent a webhook.'),
  application_sent_to_partner: reserved('application', 'An application was sent to the partner.'),
  partner_integration_error: reserved('account', 'Something went wrong between the service and the partner.'),
  partner_status_synced: reserved('application', 'The partner’s status of an application was fetched.'),
  partner_status_updated: reserved('application', 'The partner’s status of an application changed.'),
  partner_documents_transferred: reserved(
    'application',
    'Documents of an application were sent to the partner.',
  ),
  partner_note_received: reserved('application', 'The partner wrote a note about an application.'),

  extapi_lead_created: reserved('lead', 'A lead arrived through the external API.'),
  extapi_lead_batch_submitted: reserved('account', 'Leads arrived through the external API.'),
  extapi_application_submitted: reserved(
    'application',
    'An application was submitted through the external API.',
  ),
  extapi_application_updated: reserved('application', 'An application changed through the external API.'),
  extapi_documents_transferred: reserved('application', 'Documents arrived through the external API.'),
  extapi_status_change: reserved('application', 'The external API’s status of an application changed.'),

  vanity_domain_requested: reserved('account', 'A domain of the account’s own was asked for.'),
  vanity_domain_validated: reserved('account', 'A domain was proved to be the account’s own.'),
  vanity_domain_activated: reserved('account', 'A domain of the account’s own was activated.'),
  vanity_domain_deleted: reserved('account', 'A domain of the account’s own was deleted.'),

  mid_created: emitted(['mid'], changed, 'A MID was created.'),
  mid_updated: emitted(['mid'], changed, 'A MID changed.'),
  mid_deleted: emitted(['mid'], noData, 'A MID was deleted.'),
  mid_assigned: emitted(
    ['mid'],
    object({ from: recordId(), to: recordId() }),
    'A MID belongs to another merchant.',
  ),
  mid_activated: emitted(['mid'], noData, 'A MID was activated.'),
  mid_suspended: emitted(['mid'], noData, 'A MID was suspended.'),

  ticket_type_created: emitted(['ticket_type'], changed, 'A ticket type was created.'),
  ticket_type_updated: emitted(['ticket_type'], changed, 'A ticket type changed.'),
  ticket_type_deleted: emitted(['ticket_type'], noData, 'A ticket type was deleted.'),
  ticket_type_status_changed: emitted(
    ['ticket_type'],
    object({ from: boolean({ description: '`isActive` before.' }), to: boolean() }),
    'A ticket type was activated or deactivated.',
  ),

  ticket_rotation_created: emitted(['ticket_rotation'], changed, 'A ticket rotation was created.'),
  ticket_rotation_updated: emitted(['ticket_rotation'], changed, 'A ticket rotation changed.'),
  ticket_rotation_deleted: emitted(['ticket_rotation'], noData, 'A ticket rotation was deleted.'),
  ticket_rotation_status_changed: emitted(
    ['ticket_rotation'],
    object({ from: string({ examples: ['active'] }), to: string({ examples: ['inactive'] }) }),
    'A ticket rotation was activated or deactivated.',
  ),
  ticket_rotation_position_reset: emitted(
    ['ticket_rotation'],
    object({
      from: integer({ description: '`currentPosition` before.', examples: [2] }),
      to: integer({ examples: [0] }),
    }),
    'A ticket rotation goes on at another position.',
  ),

  ticket_created: emitted(
    ['ticket'],
    object({
      changes,
      unassigned: optional(
        unsafe<true>({ const: true, description: 'A rotation was to assign it, and nobody has it.' }),
      ),
      reason: optional(
        oneOf(['rotation_gone', 'rotation_inactive', 'no_rotation', 'nobody_eligible', 'no_turn'], {
          description: 'Why nobody has it.',
        }),
      ),
    }),
    'A ticket was created.',
  ),
  ticket_updated: emitted(['ticket'], ticketUpdated, 'A ticket changed, or missed a target.'),
  ticket_deleted: emitted(['ticket'], noData, 'A ticket was deleted.'),
  ticket_assigned: emitted(
    ['ticket'],
    object({ assignedTo: nullable(user), assignedTeamId: nullable(recordId()), ...ofBulk }),
    'A ticket has another assignee or team, or none any more.',
  ),
  ticket_status_changed: emitted(
    ['ticket'],
    object({ from: string({ examples: ['open'] }), to: string({ examples: ['resolved'] }), ...ofBulk }),
    'A ticket has another status.',
  ),
  ticket_comment_added: emitted(
    ['ticket'],
    object({
      commentId: recordId(),
      visibility: oneOf(['public', 'internal']),
      authorType: oneOf(['staff', 'customer']),
    }),
    'A comment on a ticket was written.',
  ),
} as const satisfies Record<EventKind, Emitted<readonly string[], TSchema> | Reserved<readonly string[]>>;

type Catalogue = typeof eventCatalogue;

/** The data of an event that says what changed, field by field. */
export interface ChangesData {
  changes: Changes;
}

/** The data of an event whose kind says everything. */
export type NoData = Record<string, never>;

/** A kind that something in the service emits, so that its data have a type. */
export type EmittedKind = {
  [K in EventKind]: Catalogue[K] extends { schema: TSchema } ? K : never;
}[EventKind];

/** The data of an event by its kind. */
export type EventData = { [K in EmittedKind]: Static<Catalogue[K]['schema']> };

/** What an event can be about. */
export type SubjectType = Catalogue[EventKind]['subjects'][number];

/** What the events of a kind can be about. */
export type SubjectTypeOf<K extends EventKind> = Catalogue[K]['subjects'][number];

/** The kinds about a type of subject whose data is exactly `D`. */
export type KindAbout<T extends SubjectType, D> = {
  [K in EmittedKind]: T extends SubjectTypeOf<K>
    ? EventData[K] extends D
      ? D extends EventData[K]
        ? K
        : never
      : never
    : never;
}[EmittedKind];
