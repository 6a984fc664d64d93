import type { EmittedKind } from '../../events/catalogue.ts';
import type { Event } from '../../events/envelope.ts';
import type { EventKind } from '../../events/kinds.ts';
import { cutAt, oneLine } from '../notifications/plain-text.ts';
import type { NotificationText } from '../notifications/stored-notification.ts';

/** What a text is made of: the envelope of an event, without the record. */
type RenderableEvent = Pick<Event, 'kind' | 'actor'> & {
  subject: Pick<Event['subject'], 'id'> & {
    type: string;
    label?: string;
    parent?: { type: string; id: number | string };
  };
  data: object;
};

/** What a template says an event with. All of it is one line without anything that does not show. */
interface Facts {
  /** Who did it, as the beginning of a sentence. */
  who: string;
  /** What people call the record; where it has no name, its id. */
  label: string;
  /** A value of the event's data, cut as labels are; undefined where there is none that is plain. */
  value(name: string): string | undefined;
  /** The names of the fields that changed, such as `company, email and 3 more`; undefined where the event has none. */
  fields?: string;
}

/** Where the portal shows something, and what a link to it is called. */
interface RecordPlace {
  path: string;
  link: string;
}

interface Template {
  /** What happened, for the line that the label ends. */
  title(facts: Facts): string;
  body(facts: Facts): string;
  /** Left out: never. */
  error?(facts: Facts): boolean;
  place(told: RenderableEvent): RecordPlace;
}

/** In characters. */
const longest = { label: 80, subject: 150, body: 500, fields: 5 };

const always = () => true;
/** The same with a capital. */
const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What the portal shows at a path with an id behind it. */
const shownAt =
  (path: string, name: string) =>
  ({ subject: { id } }: RenderableEvent): RecordPlace => ({
    path: `${path}/${encodeURIComponent(String(id))}`,
    link: `Open the ${name}`,
  });
const listAt = (path: string, name: string) => (): RecordPlace => ({ path, link: `Open the ${name}` });

/** Where the records are that others hang on. */
const parentPaths: Readonly<Record<string, RecordPlace>> = {
  application: { path: '/applications', link: 'Open the application' },
  merchant: { path: '/merchants', link: 'Open the merchant' },
  ticket: { path: '/tickets', link: 'Open the ticket' },
};

/** The page of the record that something hangs on, as the event names it. */
function parentPlace({ subject }: RenderableEvent): RecordPlace {
  const { type, id } = subject.parent ?? subject;
  const parent = parentPaths[type];
  return parent
    ? { ...parent, path: `${parent.path}/${encodeURIComponent(String(id))}` }
    : { path: '/merchants', link: 'Open the merchants' };
}

/** The templates of a noun: what it is called, where the portal shows one, and where all. */
function noun(name: string, place: Template['place'], all: Template['place']) {
  const record = ({ label }: Facts) => `the ${name} ${label}`;
  const titled = (title: string) => () => `${sentence(name)} ${title}`;
  return {
    /** `Grace created the lead Ada Byron.` */
    did: (title: string, verb = title): Template => ({
      title: titled(title),
      body: (facts) => `${facts.who} ${verb} ${record(facts)}.`,
      place,
    }),
    updated: (title = 'changed'): Template => ({
      title: titled(title),
      body: (facts) => `${facts.who} changed ${record(facts)}${facts.fields ? `: ${facts.fields}` : ''}.`,
      place,
    }),
    /** Of what is gone, the page of those that are left. */
    deleted: (): Template => ({
      title: titled('deleted'),
      body: (facts) => `${facts.who} deleted ${record(facts)}.`,
      place: all,
    }),
    /** Anything else that may be said of one. */
    says: (title: string, body: (facts: Facts & { record: string }) => string): Template => ({
      title: titled(title),
      body: (facts) => body({ ...facts, record: record(facts) }),
      place,
    }),
  };
}

const listed = (name: string, path: string, names = `${name}s`) =>
  noun(name, shownAt(path, name), listAt(path, names));

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
const apiKey = noun('API key', listAt('/api-keys', 'API keys'), listAt('/api-keys', 'API keys'));
const account = noun('account', listAt('/account', 'account'), listAt('/account', 'account'));
const mid = noun('MID', parentPlace, parentPlace);
const note = noun('note', parentPlace, parentPlace);
const file = noun('file', parentPlace, parentPlace);

const because = (reason: string | undefined): string => (reason ? ` Reason: ${reason}.` : '');
const fromTo = ({ value }: Facts): string =>
  [
    ['from', value('from')],
    ['to', value('to')],
  ]
    .flatMap(([word, one]) => (one ? [` ${word} ${one}`] : []))
    .join('');
/** The same, where it says also that a rotation found nobody. */
const orUnassigned = (template: Template, name: string): Template => ({
  ...template,
  title: (facts) => (facts.value('unassigned') ? `${name} without an assignee` : template.title(facts)),
  body: (facts) =>
    `${template.body(facts)}${facts.value('unassigned') ? ' Its rotation found nobody to assign it to.' : ''}`,
});
/** What happened to a file, which the data name: its record is the subject, or the parent of it. */
const fileSays = (title: string, verb: string): Template => ({
  ...file.did(title),
  title: () => `File ${title}`,
  body: ({ who, value, label }) => `${who} ${verb} ${value('name') ?? 'a file'} (${label}).`,
});

/** How each kind of event is told. A kind that occurs and has no template does not compile. */
export const templates = {
  lead_created: orUnassigned(lead.did('created'), 'Lead'),
  lead_updated: lead.updated(),
  lead_deleted: lead.deleted(),
  lead_qualified: lead.says(
    'qualified',
    ({ who, record, value }) => `${who} qualified ${record}.${because(value('reason'))}`,
  ),
  lead_disqualified: lead.says(
    'disqualified',
    ({ who, record, value }) => `${who} disqualified ${record}.${because(value('reason'))}`,
  ),
  lead_assigned: lead.says('assigned', ({ who, record, value }) =>
    value('to') ? `${who} gave ${record} to another assignee.` : `${who} took ${record} from its assignee.`,
  ),
  lead_converted: lead.says('converted', ({ who, record }) => `${who} made an application of ${record}.`),
  lead_archived: lead.did('archived'),
  lead_unarchived: lead.says('unarchived', ({ who, record }) => `${who} took ${record} out of the archive.`),

  application_created: application.did('created'),
  application_updated: application.updated(),
  application_deleted: application.deleted(),
  application_completed: application.says('complete', ({ record }) => `${sentence(record)} is complete.`),
  application_submitted: application.did('submitted'),
  application_sensitive_data_revealed: {
    title: () => 'Sensitive values shown',
    body: ({ who, label }) => `${who} was shown sensitive values of ${label}.`,
    place: parentPlace,
  },

  underwriting_application_assigned: application.says(
    'assigned to an underwriter',
    ({ who, record, value }) =>
      value('to')
        ? `${who} gave ${record} to another underwriter.`
        : `${who} took ${record} from its underwriter.`,
  ),
  underwriting_application_priority_changed: application.says(
    'has another priority',
    (facts) => `${facts.who} changed the priority of ${facts.record}${fromTo(facts)}.`,
  ),
  underwriting_decision_made: {
    ...application.did('decided'),
    title: ({ value }) => `Application ${decisions[value('decision') ?? ''] ?? 'decided'}`,
    body: ({ who, label, value }) =>
      `${who} decided on the application ${label}: ${decisions[value('decision') ?? ''] ?? 'decided'}.${because(value('reason'))}`,
  },
  underwriting_note_added: application.says(
    'has a new underwriting note',
    ({ who, record }) => `${who} wrote a note about ${record}.`,
  ),
  underwriting_risk_assessment_generated: application.says(
    'risk assessed',
    ({ record, value }) =>
      `The risk of ${record} is ${value('level') ?? 'assessed'} (${value('score') ?? '–'}).`,
  ),

  merchant_created: merchant.did('created'),
  merchant_updated: merchant.updated(),
  merchant_deleted: merchant.deleted(),

  mid_created: mid.did('created'),
  mid_updated: mid.updated(),
  mid_deleted: mid.deleted(),
  mid_assigned: mid.says('moved', ({ who, record }) => `${who} gave ${record} to another merchant.`),
  mid_activated: mid.did('activated'),
  mid_suspended: mid.did('suspended'),

  note_created: note.says('written', ({ who }) => `${who} wrote a note about a merchant.`),
  note_updated: note.says('changed', ({ who }) => `${who} changed a note about a merchant.`),
  note_deleted: note.says('deleted', ({ who }) => `${who} deleted a note about a merchant.`),

  file_upload_url_requested: fileSays('announced', 'is about to upload'),
  file_uploaded: fileSays('uploaded', 'uploaded'),
  file_deleted: fileSays('deleted', 'deleted'),
  file_requested: fileSays('opened', 'opened'),
  file_meta_data_updated: fileSays('changed', 'changed what is said of'),

  ticket_created: orUnassigned(ticket.did('created'), 'Ticket'),
  ticket_updated: {
    ...ticket.updated(),
    title: ({ value }) => (value('change') === 'sla_breached' ? 'Ticket missed a target' : 'Ticket changed'),
    body: (facts) =>
      facts.value('change') === 'sla_breached'
        ? `The ticket ${facts.label} missed its target for the ${facts.value('target') === 'resolution' ? 'resolution' : 'first response'}.`
        : ticket.updated().body(facts),
  },
  ticket_deleted: ticket.deleted(),
  ticket_assigned: ticket.says('assigned', ({ who, record, value }) =>
    value('assignedTo')
      ? `${who} gave ${record} to another assignee.`
      : `${who} took ${record} from its assignee.`,
  ),
  ticket_status_changed: ticket.says(
    'has another status',
    (facts) => `${facts.who} changed the status of ${facts.record}${fromTo(facts)}.`,
  ),
  ticket_comment_added: ticket.says(
    'commented on',
    ({ who, record, value }) =>
      `${who} commented on ${record}${value('visibility') === 'internal' ? ', for the staff alone' : ''}.`,
  ),

  ticket_type_created: ticketType.did('created'),
  ticket_type_updated: ticketType.updated(),
  ticket_type_deleted: ticketType.deleted(),
  ticket_type_status_changed: ticketType.says(
    'switched',
    ({ who, record, value }) => `${who} ${value('to') === 'true' ? 'activated' : 'deactivated'} ${record}.`,
  ),
  ticket_rotation_created: ticketRotation.did('created'),
  ticket_rotation_updated: ticketRotation.updated(),
  ticket_rotation_deleted: ticketRotation.deleted(),
  ticket_rotation_status_changed: ticketRotation.says(
    'has another status',
    (facts) => `${facts.who} changed the status of ${facts.record}${fromTo(facts)}.`,
  ),
  ticket_rotation_position_reset: ticketRotation.says(
    'goes on elsewhere',
    (facts) => `${facts.who} moved the position of ${facts.record}${fromTo(facts)}.`,
  ),

  lead_rotation_created: leadRotation.did('created'),
  lead_rotation_updated: leadRotation.updated(),
  lead_rotation_deleted: leadRotation.deleted(),
  lead_source_created: leadSource.did('created'),
  lead_source_updated: leadSource.updated(),
  lead_source_deleted: leadSource.deleted(),
  lead_source_activated: leadSource.did('activated'),
  lead_source_deactivated: leadSource.did('deactivated'),
  team_created: team.did('created'),
  team_updated: team.updated(),
  team_deleted: team.deleted(),
  team_activated: team.did('activated'),
  team_deactivated: team.did('deactivated'),
  role_created: role.did('created'),
  role_deleted: role.deleted(),
  role_permissions_updated: role.updated(),

  user_created: user.did('invited'),
  user_updated: user.updated(),
  user_deleted: user.deleted(),
  user_added_to_account: user.says(
    'invited to the account',
    ({ who, record }) => `${who} invited ${record} to the account.`,
  ),
  user_removed_from_account: user.says(
    'left the account',
    ({ record }) => `${sentence(record)} is no member of the account any more.`,
  ),
  user_roles_updated: user.says(
    'has other roles',
    ({ who, record }) => `${who} changed the roles of ${record}.`,
  ),
  user_permissions_set_directly: user.says(
    'has other permissions',
    ({ who, record }) => `${who} changed the permissions of ${record}.`,
  ),
  user_account_settings_updated: user.says(
    'is notified otherwise',
    ({ who, record }) => `${who} changed how ${record} is notified.`,
  ),
  user_logged_in: user.says('logged in', ({ who }) => `${who} logged in.`),
  user_logged_out: user.says('logged out', ({ who }) => `${who} logged out.`),
  user_password_changed: user.says(
    'changed a password',
    ({ record }) => `The password of ${record} was changed.`,
  ),
  user_password_reset_requested: user.says(
    'asked for a new password',
    ({ record }) => `Somebody asked for a mail that resets the password of ${record}.`,
  ),
  admin_force_set_password: user.says(
    'got a password',
    ({ who, record }) => `${who} set the password of ${record}.`,
  ),

  account_created: account.did('created'),
  account_updated: account.updated(),
  api_key_created: apiKey.did('created'),
  api_key_updated: apiKey.updated(),
  api_key_deleted: apiKey.deleted(),
  api_rate_limited: {
    title: () => 'Request limit met',
    body: ({ who, value }) => `${who} met the limit of ${value('limit') ?? 'its'} requests a minute.`,
    error: always,
    place: listAt('/api-keys', 'API keys'),
  },
  quota_exceeded: {
    title: () => 'Quota exceeded',
    body: ({ who, value }) =>
      `${who} tried to make one more than the account may have: ${value('quota') ?? 'a quota'}.`,
    error: always,
    place: listAt('/account', 'account'),
  },
  healthcheck: {
    title: () => 'Health check',
    body: () => 'The service checks that its events arrive.',
    place: listAt('/account', 'account'),
  },
  system_error: {
    title: () => 'Something failed',
    body: () => 'Something failed on the side of the service.',
    error: always,
    place: listAt('/account', 'account'),
  },
  partner_integration_error: {
    title: () => 'Partner integration failed',
    body: () => 'Something went wrong between the service and the partner.',
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
      `Deliveries to the webhook ${label} were given up: ${value('failures') ?? 'at least one'}.${because(value('error'))}`,
    error: always,
    place: (told) => ({
      path: `${shownAt('/webhooks', 'webhook')(told).path}/deliveries`,
      link: 'Open the deliveries',
    }),
  },
} as const satisfies Record<EmittedKind, Template> & Partial<Record<EventKind, Template>>;

const decisions: Readonly<Record<string, string>> = {
  approved: 'approved',
  rejected: 'rejected',
  info_requested: 'more information asked for',
};

/**
 * The text of an event, made of its envelope alone: a subject of one line and at most 150 characters, a body of at most 500.
 * What somebody typed is in it as plain text: one line, cut at 80 characters. If the account has no portal address, the link is
 * the path alone.
 */
export function render(
  told: RenderableEvent,
  { portalUrl }: { portalUrl?: string | null },
): NotificationText {
  const template: Template = templates[told.kind];
  const facts = factsOf(told);
  const { path, link } = template.place(told);
  return {
    subject: cutAt(oneLine(`${template.title(facts)}: ${facts.label}`), longest.subject),
    body: cutAt(oneLine(template.body(facts)), longest.body),
    error: template.error?.(facts) ?? false,
    portalLink: `${portalUrl?.replace(/\/+$/, '') ?? ''}${path}`,
    portalLinkDescription: link,
  };
}

function factsOf({ actor, subject, data }: RenderableEvent): Facts {
  const values = new Map(Object.entries(data));
  const changes: unknown = values.get('changes');
  const names = typeof changes === 'object' && changes !== null ? Object.keys(changes) : [];
  return {
    who: nameOf(actor),
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

/** The first names, and how many more there are. */
const listOf = (names: readonly string[]): string =>
  [
    names.slice(0, longest.fields).join(', '),
    ...(names.length > longest.fields ? [`${names.length - longest.fields} more`] : []),
  ].join(' and ');

/** Who did something, for people. */
function nameOf({ user: name, apiKey: key }: Event['actor']): string {
  if (key !== null) return 'An API key';
  if (name === 'system') return 'The service';
  if (name === 'anonymous') return 'Somebody';
  return name.startsWith('appKey:') ? 'The applicant' : plain(name);
}
