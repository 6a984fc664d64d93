import { portalOf } from '../../accounts/portal.ts';
import type { EmittedKind } from '../../events/catalogue.ts';
import type { Event } from '../../events/envelope.ts';
import type { EventKind } from '../../events/kinds.ts';
import { cutAt, oneLine } from '../notifications/plain-text.ts';
import type { NotificationText } from '../notifications/stored-notification.ts';

type RenderableEvent = Pick<Event, 'kind' | 'actor'> & {
  subject: Pick<Event['subject'], 'id'> & {
    type: string;
    label?: string;
    parent?: { type: string; id: number | string };
  };
  data: object;
};

/** The input of a template: one-line texts without invisible characters. */
interface Facts {
  /** The actor, as the subject of a sentence. */
  actor: string;
  /** The name of the record, or its id. */
  label: string;
  /** A value of the event's data, cut to the length of a label; undefined if the value is missing or an object. */
  value(name: string): string | undefined;
  /** The names of the changed fields, such as `company, email and 3 more`; undefined if there are none. */
  fields?: string;
}

interface RecordPlace {
  path: string;
  link: string;
}

interface Template {
  /** The start of the subject line, which ends with the label. */
  title(facts: Facts): string;
  body(facts: Facts): string;
  /** Reports whether the event is an error. Default: no. */
  error?(facts: Facts): boolean;
  place(event: RenderableEvent): RecordPlace;
}

/** The maximum lengths in characters, and the maximum number of listed fields. */
const longest = { label: 80, subject: 150, body: 500, fields: 5 };

const always = () => true;
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const shownAt =
  (path: string, name: string) =>
  ({ subject: { id } }: RenderableEvent): RecordPlace => ({
    path: `${path}/${encodeURIComponent(String(id))}`,
    link: `Open the ${name}`,
  });
const listAt = (path: string, name: string) => (): RecordPlace => ({ path, link: `Open the ${name}` });

const parentPaths: Readonly<Record<string, RecordPlace>> = {
  application: { path: '/applications', link: 'Open the application' },
  merchant: { path: '/merchants', link: 'Open the merchant' },
  ticket: { path: '/tickets', link: 'Open the ticket' },
};

/** The page of the event's parent record, or of its subject if the event has no parent. */
function parentPlace({ subject }: RenderableEvent): RecordPlace {
  const { type, id } = subject.parent ?? subject;
  const parent = parentPaths[type];
  return parent
    ? { ...parent, path: `${parent.path}/${encodeURIComponent(String(id))}` }
    : { path: '/merchants', link: 'Open the merchants' };
}

/** The templates of a record type. `place` is the page of one record, and `all` is the page that lists the records. */
function record(name: string, place: Template['place'], all: Template['place']) {
  const named = ({ label }: Facts) => `the ${name} ${label}`;
  const titled = (title: string) => () => `${capitalized(name)} ${title}`;
  return {
    /** Example: `Grace created the lead Ada Byron.` */
    did: (title: string, verb = title): Template => ({
      title: titled(title),
      body: (facts) => `${facts.actor} ${verb} ${named(facts)}.`,
      place,
    }),
    updated: (title = 'changed'): Template => ({
      title: titled(title),
      body: (facts) => `${facts.actor} changed ${named(facts)}${facts.fields ? `: ${facts.fields}` : ''}.`,
      place,
    }),
    /** Links to the list, because the record no longer exists. */
    deleted: (): Template => ({
      title: titled('deleted'),
      body: (facts) => `${facts.actor} deleted ${named(facts)}.`,
      place: all,
    }),
    /** Example: `Grace changed the status of the ticket 7 from open to closed.` */
    changed: (what: string): Template => ({
      title: titled(`${what} changed`),
      body: (facts) => `${facts.actor} changed the ${what} of ${named(facts)}${fromTo(facts)}.`,
      place,
    }),
    custom: (title: string, body: (facts: Facts & { record: string }) => string): Template => ({
      title: titled(title),
      body: (facts) => body({ ...facts, record: named(facts) }),
      place,
    }),
  };
}

const listed = (name: string, path: string) => record(name, shownAt(path, name), listAt(path, `${name}s`));

/** The templates of the kinds `{kind}_created`, `{kind}_updated` and `{kind}_deleted`. */
const basic = <K extends string>(kind: K, { did, updated, deleted }: ReturnType<typeof record>) =>
  ({
    [`${kind}_created`]: did('created'),
    [`${kind}_updated`]: updated(),
    [`${kind}_deleted`]: deleted(),
  }) as Record<`${K}_${'created' | 'updated' | 'deleted'}`, Template>;

const lead = listed('lead', '/leads');
const application = listed('application', '/applications');
const merchant = listed('merchant', '/merchants');
const ticket = listed('ticket', '/tickets');
const user = listed('user', '/users');
const team = listed('team', '/teams');
const role = listed('role', '/roles');
const leadRotation = listed('lead rotation', '/lead-rotations');
const leadSource = listed('lead source', '/lead-sources');
const ticketType = listed('ticket type', '/ticket-types');
const ticketRotation = listed('ticket rotation', '/ticket-rotations');
const webhook = listed('webhook', '/webhooks');
const apiKey = record('API key', listAt('/api-keys', 'API keys'), listAt('/api-keys', 'API keys'));
const account = record('account', listAt('/account', 'account'), listAt('/account', 'account'));
const mid = record('MID', parentPlace, parentPlace);
const note = record('note', parentPlace, parentPlace);
const file = record('file', parentPlace, parentPlace);

const because = (reason: string | undefined): string =>
  reason ? ` Reason: ${reason.replace(/\.$/, '')}.` : '';
/** The body for a new or removed assignee. `field` is the name of the assignee's field in the event's data. */
const assigneeChange =
  (field: string, role: string) =>
  ({ actor, record, value }: Facts & { record: string }): string =>
    value(field)
      ? `${actor} changed the ${role} of ${record}.`
      : `${actor} removed the ${role} of ${record}.`;
const withReason = (template: Template): Template => ({
  ...template,
  body: (facts) => `${template.body(facts)}${because(facts.value('reason'))}`,
});
const fromTo = ({ value }: Facts): string =>
  [
    ['from', value('from')],
    ['to', value('to')],
  ]
    .flatMap(([word, one]) => (one ? [` ${word} ${one}`] : []))
    .join('');
/** Returns a template that also reports if a rotation found no assignee. */
const orUnassigned = (template: Template, name: string): Template => ({
  ...template,
  title: (facts) => (facts.value('unassigned') ? `${name} without an assignee` : template.title(facts)),
  body: (facts) =>
    `${template.body(facts)}${facts.value('unassigned') ? ' The rotation found no assignee.' : ''}`,
});
/** The template of an event about a file: `data.name` is the file's name, and the label is the record's name. */
const fileEvent = (title: string, verb: string): Template => ({
  ...file.did(title),
  title: () => `File ${title}`,
  body: ({ actor, value, label }) => `${actor} ${verb} ${value('name') ?? 'a file'} (${label}).`,
});

/** The template of each kind of event. The compiler reports emitted kinds without a template. */
export const templates = {
  lead_created: orUnassigned(lead.did('created'), 'Lead'),
  lead_updated: lead.updated(),
  lead_deleted: lead.deleted(),
  lead_qualified: withReason(lead.did('qualified')),
  lead_disqualified: withReason(lead.did('disqualified')),
  lead_assigned: lead.custom('assigned', assigneeChange('to', 'assignee')),
  lead_converted: lead.custom(
    'converted',
    ({ actor, record }) => `${actor} created an application from ${record}.`,
  ),
  lead_archived: lead.did('archived'),
  lead_unarchived: lead.did('unarchived'),

  application_created: application.did('created'),
  application_updated: application.updated(),
  application_deleted: application.deleted(),
  application_completed: application.custom(
    'complete',
    ({ record }) => `${capitalized(record)} is complete.`,
  ),
  application_submitted: application.did('submitted'),
  application_sensitive_data_revealed: {
    title: () => 'Sensitive data viewed',
    body: ({ actor, label }) => `${actor} viewed sensitive data of ${label}.`,
    place: parentPlace,
  },

  underwriting_application_assigned: application.custom(
    'assigned to an underwriter',
    assigneeChange('to', 'underwriter'),
  ),
  underwriting_application_priority_changed: application.changed('priority'),
  underwriting_decision_made: {
    ...application.did('decided'),
    title: ({ value }) => `Application ${decisions[value('decision') ?? ''] ?? 'decided'}`,
    body: ({ actor, label, value }) =>
      `${actor} decided on the application ${label}: ${decisions[value('decision') ?? ''] ?? 'decided'}.${because(value('reason'))}`,
  },
  underwriting_note_added: application.custom(
    'underwriting note added',
    ({ actor, record }) => `${actor} added a note to ${record}.`,
  ),
  underwriting_risk_assessment_generated: application.custom(
    'risk assessed',
    ({ record, value }) =>
      `The risk of ${record} is ${value('level') ?? 'unknown'}, with a score of ${value('score') ?? '–'}.`,
  ),

  ...basic('merchant', merchant),

  ...basic('mid', mid),
  mid_assigned: mid.custom('moved', ({ actor, record }) => `${actor} moved ${record} to another merchant.`),
  mid_activated: mid.did('activated'),
  mid_suspended: mid.did('suspended'),

  note_created: note.custom('added', ({ actor }) => `${actor} added a note about a merchant.`),
  note_updated: note.custom('changed', ({ actor }) => `${actor} changed a note about a merchant.`),
  note_deleted: note.custom('deleted', ({ actor }) => `${actor} deleted a note about a merchant.`),

  file_upload_url_requested: fileEvent('upload requested', 'requested the upload of'),
  file_uploaded: fileEvent('uploaded', 'uploaded'),
  file_deleted: fileEvent('deleted', 'deleted'),
  file_requested: fileEvent('opened', 'opened'),
  file_meta_data_updated: fileEvent('changed', 'changed the details of'),

  ticket_created: orUnassigned(ticket.did('created'), 'Ticket'),
  ticket_updated: {
    ...ticket.updated(),
    title: ({ value }) => (value('change') === 'sla_breached' ? 'Ticket missed a target' : 'Ticket changed'),
    body: (facts) =>
      facts.value('change') === 'sla_breached'
        ? `The ticket ${facts.label} missed its target for the ${facts.value('target') === 'resolution' ? 'resolution' : 'first response'}.`
        : facts.value('change') === 'sla_recomputed'
          ? `The due times of the ticket ${facts.label} were recomputed with the current SLA policy.`
          : ticket.updated().body(facts),
  },
  ticket_deleted: ticket.deleted(),
  ticket_assigned: ticket.custom('assigned', assigneeChange('assignedTo', 'assignee')),
  ticket_status_changed: ticket.changed('status'),
  ticket_comment_added: ticket.custom(
    'comment added',
    ({ actor, record, value }) =>
      `${actor} added ${value('visibility') === 'internal' ? 'an internal comment' : 'a comment'} to ${record}.`,
  ),

  ...basic('ticket_type', ticketType),
  ticket_type_status_changed: ticketType.custom(
    'status changed',
    ({ actor, record, value }) =>
      `${actor} ${value('to') === 'true' ? 'activated' : 'deactivated'} ${record}.`,
  ),
  ...basic('ticket_rotation', ticketRotation),
  ticket_rotation_status_changed: ticketRotation.changed('status'),
  ticket_rotation_position_reset: ticketRotation.custom(
    'position reset',
    (facts) => `${facts.actor} reset the position of ${facts.record}${fromTo(facts)}.`,
  ),

  ...basic('lead_rotation', leadRotation),
  ...basic('lead_source', leadSource),
  lead_source_activated: leadSource.did('activated'),
  lead_source_deactivated: leadSource.did('deactivated'),
  ...basic('team', team),
  team_activated: team.did('activated'),
  team_deactivated: team.did('deactivated'),
  role_created: role.did('created'),
  role_deleted: role.deleted(),
  role_permissions_updated: role.updated(),

  user_created: user.did('invited'),
  user_updated: user.updated(),
  user_deleted: user.deleted(),
  user_added_to_account: user.custom(
    'invited to the account',
    ({ actor, record }) => `${actor} invited ${record} to the account.`,
  ),
  user_removed_from_account: user.custom(
    'removed from the account',
    ({ record }) => `${capitalized(record)} is no longer a member of the account.`,
  ),
  user_roles_updated: user.changed('roles'),
  user_permissions_set_directly: user.changed('permissions'),
  user_account_settings_updated: user.changed('notification settings'),
  user_logged_in: user.custom('logged in', ({ actor }) => `${actor} logged in.`),
  user_logged_out: user.custom('logged out', ({ actor }) => `${actor} logged out.`),
  user_password_changed: user.custom(
    'password changed',
    ({ record }) => `The password of ${record} was changed.`,
  ),
  user_password_reset_requested: user.custom(
    'password reset requested',
    ({ record }) => `A password reset was requested for ${record}.`,
  ),
  admin_force_set_password: user.custom(
    'password set',
    ({ actor, record }) => `${actor} set the password of ${record}.`,
  ),

  account_created: account.did('created'),
  account_updated: account.updated(),
  api_key_created: apiKey.did('created'),
  api_key_updated: apiKey.updated(),
  api_key_deleted: apiKey.deleted(),
  api_rate_limited: {
    title: () => 'Request limit reached',
    body: ({ actor, value }) =>
      `${actor} reached the limit of ${value('limit') ?? 'its'} requests per minute.`,
    error: always,
    place: listAt('/api-keys', 'API keys'),
  },
  quota_exceeded: {
    title: () => 'Quota exceeded',
    body: ({ actor, value }) => `${actor} exceeded a quota of the account: ${value('quota') ?? 'unknown'}.`,
    error: always,
    place: listAt('/account', 'account'),
  },
  healthcheck: {
    title: () => 'Health check',
    body: () => 'The service tested whether its events are delivered.',
    place: listAt('/account', 'account'),
  },
  system_error: {
    title: () => 'System error',
    body: () => 'An error occurred in the service.',
    error: always,
    place: listAt('/account', 'account'),
  },
  partner_integration_error: {
    title: () => 'Partner integration failed',
    body: () => 'A request between the service and the partner failed.',
    error: always,
    place: listAt('/account', 'account'),
  },

  webhook_created: webhook.did('created'),
  webhook_updated: {
    ...webhook.updated(),
    title: ({ value }) => (value('reason') ? 'Webhook disabled' : 'Webhook changed'),
    body: (facts) =>
      facts.value('reason')
        ? `The service disabled the webhook ${facts.label}.${because(facts.value('reason'))}`
        : webhook.updated().body(facts),
    error: ({ value }) => value('reason') !== undefined,
  },
  webhook_deleted: webhook.deleted(),
  webhook_test: webhook.did('tested'),
  webhook_delivery_failed: {
    title: () => 'Webhook deliveries failed',
    body: ({ label, value }) =>
      `Deliveries to the webhook ${label} failed after all retries. Number of deliveries: ${value('failures') ?? 'at least one'}.${because(value('error'))}`,
    error: always,
    place: (event) => ({
      path: `${shownAt('/webhooks', 'webhook')(event).path}/deliveries`,
      link: 'Open the deliveries',
    }),
  },
} as const satisfies Record<EmittedKind, Template> & Partial<Record<EventKind, Template>>;

const decisions: Readonly<Record<string, string>> = {
  approved: 'approved',
  rejected: 'rejected',
  info_requested: 'more information requested',
};

/**
 * Renders the notification of an event without reading records. The subject is one line of at most 150 characters, and
 * the body is one line of at most 500. User input is cut at 80 characters. Without a portal URL, the link is a path.
 */
export function render(event: RenderableEvent, account: { portalUrl?: string | null }): NotificationText {
  const template: Template = templates[event.kind];
  const facts = factsOf(event);
  const { path, link } = template.place(event);
  return {
    subject: cutAt(oneLine(`${template.title(facts)}: ${facts.label}`), longest.subject),
    body: cutAt(oneLine(template.body(facts)), longest.body),
    error: template.error?.(facts) ?? false,
    portalLink: `${portalOf(account) ?? ''}${path}`,
    portalLinkDescription: link,
  };
}

function factsOf({ actor, subject, data }: RenderableEvent): Facts {
  const values = new Map(Object.entries(data));
  const changes: unknown = values.get('changes');
  const names = typeof changes === 'object' && changes !== null ? Object.keys(changes) : [];
  return {
    actor: nameOf(actor),
    label: plain(subject.label ?? '') || plain(String(subject.id)),
    value: (name) => {
      const value = values.get(name);
      return ['string', 'number', 'boolean'].includes(typeof value)
        ? plain(String(value)) || undefined
        : undefined;
    },
    fields: names.length > 0 ? listOf(names.map(plain)) : undefined,
  };
}

const plain = (text: string): string => cutAt(oneLine(text), longest.label);

const listOf = (names: readonly string[]): string =>
  [
    names.slice(0, longest.fields).join(', '),
    ...(names.length > longest.fields ? [`${names.length - longest.fields} more`] : []),
  ].join(' and ');

function nameOf({ user: name, apiKey: key }: Event['actor']): string {
  if (key !== null) return 'An API key';
  if (name === 'system') return 'The service';
  if (name === 'anonymous') return 'An anonymous user';
  return name.startsWith('appKey:') ? 'The applicant' : plain(name);
}
