import { expect } from 'vitest';
import type { ChannelName } from '../../shared/channels/channels.ts';
import { channelNames, channelTerms } from '../../shared/channels/terms.ts';
import type { AnyContract, Endpoint, StaticOf } from '../../shared/endpoints/endpoint.ts';
import type { DryRun } from '../../shared/http/dry-run.ts';
import type { Item } from '../../shared/table/item.ts';
import type { Sent } from './call.ts';
import { drain } from './drain.ts';
import { scanTable } from './raw-table.ts';
import type { Client } from './tenant.ts';

/**
 * The effects of a request: the kinds of its events, the recipients by channel, and the webhooks that received a
 * delivery.
 */
interface Caused {
  kinds: string[];
  told: string[];
  webhooks: number[];
}

const nothing = (): Caused => ({ kinds: [], told: [], webhooks: [] });

/** Returns a pattern of the keys of the items that record the arrival of an event on a channel. */
function arrivalOn(channel: ChannelName): RegExp {
  const { digest, queue } = channelTerms[channel];
  if (digest) return new RegExp(`#DIGEST#${digest} ARRIVED#(?<to>\\d+)#(?<event>\\d+)$`);
  if (queue) return new RegExp(`#WORKQUEUE#${queue} WORKITEM#(?<event>\\d+)-(?<to>\\d+)$`);
  return /#INBOX#(?<to>\d+) EVENT#(?<event>\d+)$/;
}

/** Each delivery of an event to a recipient creates an item whose key contains the event's id and the recipient. */
const arrivals: [where: RegExp, channel: ChannelName | 'webhook'][] = [
  ...channelNames.map((name): [RegExp, ChannelName] => [arrivalOn(name), name]),
  [/#WORKQUEUE#WEBHOOK#(?<to>\d+) WORKITEM#(?<event>\d+)$/, 'webhook'],
];

/** Returns a function that takes the user agent of a request and returns the effects of this request. */
export function causedIn(items: readonly Item[]): (userAgent: string) => Caused {
  const emails = new Map(items.flatMap(({ type, id, email }) => (type === 'user' ? [[id, email]] : [])));
  const agents = new Map<string, string>();
  const caused = new Map<string, Caused>();
  const events = items
    .filter(({ type }) => type === 'event')
    .sort((one, other) => Number(one.id) - Number(other.id));
  for (const { id, accountId, kind, request } of events) {
    const { headers } = request as { headers: Record<string, string> };
    const agent = headers['user-agent'] ?? '';
    const known = caused.get(agent) ?? nothing();
    agents.set(`${accountId} ${id}`, agent);
    caused.set(agent, { ...known, kinds: [...known.kinds, String(kind)] });
  }
  for (const { pk, sk, content } of items)
    for (const [where, channel] of arrivals) {
      const { to, event } = where.exec(`${pk} ${sk}`)?.groups ?? {};
      // A work queue of a person contains the account of the event.
      const { account = pk.split('#')[1] } = (content ?? {}) as { account?: string };
      const known = caused.get(agents.get(`${account} ${Number(event)}`) ?? '');
      if (!known) continue;
      if (channel === 'webhook') known.webhooks.push(Number(to));
      else known.told.push(`${emails.get(Number(to))} ${channel}`);
    }
  return (agent) => caused.get(agent) ?? nothing();
}

/**
 * Compares the preview of a dry run with the effects of the real request. `nameOf` identifies a webhook, because a new
 * webhook has another id in each run.
 */
export function expectCaused(
  { events, notifications, webhooks }: DryRun,
  { kinds, ...caused }: Caused,
  nameOf: (webhookId: number) => string = String,
): void {
  expect(events.map(({ kind }) => kind)).toEqual(kinds);
  if (typeof notifications === 'number') expect(notifications).toBe(caused.told.length);
  else
    expect(
      notifications.flatMap(({ user, channels }) => channels.map((channel) => `${user} ${channel}`)).sort(),
    ).toEqual(caused.told.sort());
  if (typeof webhooks === 'number') expect(webhooks).toBe(caused.webhooks.length);
  else expect(webhooks.map(({ id }) => nameOf(id)).sort()).toEqual(caused.webhooks.map(nameOf).sort());
}

/**
 * Returns the items of the table except the call counters, which a dry run also changes if the caller lacks
 * the read permission.
 */
const withoutCalls = async (): Promise<Item[]> =>
  (await scanTable()).filter(({ pk }) => !pk.includes('#CALLS#'));

let requests = 0;

/**
 * Sends a dry run and the real request, drains the queues, compares the effects, and returns the dry run's response.
 */
export async function expectPreviewed<C extends AnyContract>(
  by: Client,
  endpoint: Endpoint<C>,
  sent: Sent<C>,
): Promise<DryRun<StaticOf<C, 'response'>>> {
  requests += 1;
  const agent = `request ${requests}`;
  const before = await withoutCalls();
  const dry = await by.dryRun(endpoint, sent);
  expect(await withoutCalls()).toEqual(before);
  await by.ok(endpoint, { ...sent, headers: { ...sent.headers, 'user-agent': agent } });
  await drain();
  const known = new Set(before.flatMap(({ type, id }) => (type === 'webhook' ? [id] : [])));
  // `isFirst` keeps the items from before the request, because the tombstone of a deleted user contains no email.
  const caused = causedIn([...before, ...(await scanTable())].filter(isFirst()))(agent);
  expectCaused(dry, caused, (id) => (known.has(id) ? String(id) : 'the new one'));
  return dry;
}

/** Returns a filter that keeps only the first item of each key. */
function isFirst(): (item: Item) => boolean {
  const seen = new Set<string>();
  return ({ pk, sk }) => {
    const name = `${pk} ${sk}`;
    const first = !seen.has(name);
    seen.add(name);
    return first;
  };
}
