import { type PortalSettings, portalOf } from '../../accounts/portal.ts';
import type { NotificationText } from '../../channels/channel.ts';
import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';
import { labelled } from '../../events/subject.ts';
import { storedInstant } from '../../instant.ts';
import type { Link } from '../../resources/declare.ts';
import { happeningTexts, notificationTexts, type PortalPages, portalPages } from '../../resources/derived.ts';
import type { EventKind, Happening, HappeningData } from '../../resources/registry.ts';
import type { EventText } from '../../resources/text.ts';
import { cutAt, oneLine } from '../notifications/plain-text.ts';

type RenderableEvent = Pick<Event, 'kind' | 'actor'> & {
  subject: Pick<Event['subject'], 'id'> & {
    type: string;
    label?: string;
    parent?: { type: string; id: number | string };
  };
  data: object;
};

/** An event, or a happening as an event of a kind of its own. */
type ShownEvent = Omit<RenderableEvent, 'kind'> & { kind: EventKind | Happening };

/** Returns the value of a placeholder: one line without invisible characters. Undefined if the value is missing. */
type Facts = (name: string) => string | undefined;

/** The maximum lengths in characters, and the maximum number of listed fields. */
const longest = { label: 80, subject: 150, body: 500, fields: 5 };

/**
 * Renders the notification of an event without reading records. The subject is one line of at most 150 characters, and
 * the body is one line of at most 500. User input is cut at 80 characters. Without a portal, the link is a path.
 */
export function render(event: RenderableEvent, account: PortalSettings): NotificationText {
  const { pages, link, text, shown } = textOf(event);
  const facts = factsOf(shown, pages);
  const { title, body, error = false } = variantOf(text, facts);
  const { path, opens } = pageOf(link ?? pages.portal, pages, shown);
  return {
    subject: cutAt(oneLine(`${fill(title, facts)}: ${facts('label')}`), longest.subject),
    body: cutAt(oneLine(fill(body, facts)), longest.body),
    error,
    portalLink: `${portalOf(account) ?? ''}${path}`,
    portalLinkDescription: `Open the ${opens}`,
  };
}

/** The text of an event, the pages of its record, and the event as the text names it. */
interface TextOf {
  text: EventText;
  pages: PortalPages;
  link?: Link;
  shown: ShownEvent;
}

/** Returns the text of an event. The event of a happening is shown as if its kind were the happening. */
function textOf(event: RenderableEvent): TextOf {
  const happening = happeningOf(event);
  if (!happening) {
    const { about, link, ...text } = notificationTexts[event.kind];
    return { text, link, pages: portalPages[about] ?? merchantPages, shown: event };
  }
  const { pages, link, label: named = '', ...text } = happeningTexts[happening];
  const { resource, recordId, detail } = event.data as HappeningData[Happening];
  const label: unknown = new Map(Object.entries(detail)).get(named);
  const subject = { type: resource, id: recordId, ...labelled(label) };
  return { text, link, pages, shown: { kind: happening, actor: event.actor, subject, data: detail } };
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
    return part.replaceAll(/\{.*?\}/g, () => values.shift() ?? '').replace(/([?!…])\.$/, '$1');
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
  { kind, subject }: ShownEvent,
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

function factsOf({ actor, subject, data }: ShownEvent, { words }: PortalPages): Facts {
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
    return shownValue(values.get(name)) || undefined;
  };
}

/** Shows a value, or a list of values. Times are in UTC, without seconds. Empty for an object. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return listOf(value.map(shownValue).filter((one) => one !== ''));
  if (!['string', 'number', 'boolean'].includes(typeof value)) return '';
  const text = String(value);
  return storedInstant.test(text) ? `${text.slice(0, 10)} ${text.slice(11, 16)} UTC` : plain(text);
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
