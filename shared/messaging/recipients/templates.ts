import { type PortalSettings, portalOf } from '../../accounts/portal.ts';
import type { Event } from '../../events/envelope.ts';
import type { Link } from '../../resources/declare.ts';
import { notificationTexts, type PortalPages, portalPages } from '../../resources/derived.ts';
import type { EventText } from '../../resources/text.ts';
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

/** Returns the value of a placeholder: one line without invisible characters. Undefined if the value is missing. */
type Facts = (name: string) => string | undefined;

/** The maximum lengths in characters, and the maximum number of listed fields. */
const longest = { label: 80, subject: 150, body: 500, fields: 5 };

/**
 * Renders the notification of an event without reading records. The subject is one line of at most 150 characters, and
 * the body is one line of at most 500. User input is cut at 80 characters. Without a portal, the link is a path.
 */
export function render(event: RenderableEvent, account: PortalSettings): NotificationText {
  const { about, link, ...text } = notificationTexts[event.kind];
  const pages = portalPages[about] ?? merchantPages;
  const facts = factsOf(event, pages);
  const { title, body, error = false } = variantOf(text, facts);
  const { path, opens } = pageOf(link ?? pages.portal, pages, event);
  return {
    subject: cutAt(oneLine(`${fill(title, facts)}: ${facts('label')}`), longest.subject),
    body: cutAt(oneLine(fill(body, facts)), longest.body),
    error,
    portalLink: `${portalOf(account) ?? ''}${path}`,
    portalLinkDescription: `Open the ${opens}`,
  };
}

/** Applies the variants of a text whose conditions are met. */
function variantOf({ variants = [], ...text }: EventText, facts: Facts): EventText {
  const applies = variants.filter(({ if: conditions }) =>
    Object.entries(conditions).every(([name, expected]) => {
      const value = facts(name);
      return typeof expected === 'boolean' ? (value !== undefined) === expected : value === expected;
    }),
  );
  return Object.assign({}, text, ...applies);
}

/** Replaces the placeholders of a template in one pass, so that placeholders in user input are not replaced. */
const fill = (template: string, facts: Facts): string =>
  template.replace(/\[(.*?)\]|\{.*?\}/g, (placeholder, part?: string) => {
    if (part === undefined) return valueIn(placeholder, facts) ?? '';
    const values = [...part.matchAll(/\{.*?\}/g)].map(([one]) => valueIn(one, facts)?.replace(/\.$/, ''));
    if (values.includes(undefined)) return '';
    return part.replaceAll(/\{.*?\}/g, () => values.shift() ?? '');
  });

/** The value of a placeholder such as `{limit|its}`: the value, or else the default. */
function valueIn(placeholder: string, facts: Facts): string | undefined {
  const [name = '', otherwise] = placeholder.slice(1, -1).split('|');
  return facts(name) ?? otherwise;
}

/** Children of merchants have no pages of their own. */
const merchantPages: PortalPages = { words: 'merchant', path: '/merchants', portal: 'list' };

/** Returns the page that a notification links to. The event of a deletion links to the list of records. */
function pageOf(
  link: Link,
  { words, path }: PortalPages,
  { kind, subject }: RenderableEvent,
): { path: string; opens: string } {
  if (link === 'parent') {
    const { type, id } = subject.parent ?? subject;
    const parent = portalPages[type] ?? merchantPages;
    return parent.portal === 'record'
      ? { path: below(parent.path, id), opens: parent.words }
      : { path: merchantPages.path, opens: 'merchants' };
  }
  if (link === 'list' || (link === 'record' && kind.endsWith('_deleted')))
    return { path, opens: `${words}s` };
  if (link === 'record') return { path: below(path, subject.id), opens: words };
  return 'path' in link ? link : { path: `${below(path, subject.id)}/${link.below}`, opens: link.opens };
}

const below = (path: string, id: number | string): string => `${path}/${encodeURIComponent(String(id))}`;

function factsOf({ actor, subject, data }: RenderableEvent, { words }: PortalPages): Facts {
  const label = plain(subject.label ?? '') || plain(String(subject.id));
  const values = new Map(Object.entries(data));
  const changes: unknown = values.get('changes');
  const names = typeof changes === 'object' && changes !== null ? Object.keys(changes) : [];
  const own: Readonly<Record<string, string | undefined>> = {
    actor: nameOf(actor),
    label,
    record: `the ${words} ${label}`,
    Record: `The ${words} ${label}`,
    Name: words.charAt(0).toUpperCase() + words.slice(1),
    fields: names.length > 0 ? listOf(names.map(plain)) : undefined,
  };
  return (name) => {
    if (Object.hasOwn(own, name)) return own[name];
    const value = values.get(name);
    return ['string', 'number', 'boolean'].includes(typeof value)
      ? plain(String(value)) || undefined
      : undefined;
  };
}

const plain = (text: string): string => cutAt(oneLine(text), longest.label);

const listOf = (names: readonly string[]): string =>
  [
    names.slice(0, longest.fields).join(', '),
    ...(names.length > longest.fields ? [`${names.length - longest.fields} more`] : []),
  ].join(' and ');

function nameOf({ user: name, apiKey: key, impersonatedBy: by }: Event['actor']): string {
  if (key !== null) return 'An API key';
  if (by !== undefined) return `${plain(by)} as ${plain(name)}`;
  if (name === 'system') return 'The service';
  if (name === 'anonymous') return 'An anonymous user';
  return name.startsWith('appKey:') ? 'The applicant' : plain(name);
}
