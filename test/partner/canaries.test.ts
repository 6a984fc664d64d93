import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import submitToPartner from '../../functions/applications/submit-to-partner.ts';
import syncWithPartner from '../../functions/applications/sync-with-partner.ts';
import listEvents from '../../functions/events/list-events.ts';
import readPartnerConnection from '../../functions/integrations/read-partner-connection.ts';
import rotatePartnerSecret from '../../functions/integrations/rotate-partner-secret.ts';
import savePartnerConnection from '../../functions/integrations/save-partner-connection.ts';
import testPartnerConnection from '../../functions/integrations/test-partner-connection.ts';
import createTicketType from '../../functions/ticket-types/create-ticket-type.ts';
import createTicketComment from '../../functions/tickets/create-ticket-comment.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import setNotificationPreferences from '../../functions/users/set-notification-preferences.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { partnerIntegration } from '../../shared/resources/partner.ts';
import type { EventKind } from '../../shared/resources/registry.ts';
import { logged } from '../harness/call.ts';
import { drain, relay, wholeStream } from '../harness/drain.ts';
import { canaries } from '../harness/filled-application.ts';
import { scanTable } from '../harness/raw-table.ts';
import { watchWire } from '../harness/wire.ts';
import { connected, partnerStateOf, submitted } from './world.ts';

/** A request that leaves the service. */
interface Outgoing {
  path: string;
  headers: object;
  body: string;
}

/** Data that must contain no secret and no sensitive value, by source. */
const places: Record<string, unknown> = {};
/** The requests to the partner, as they were received. */
const sent: Outgoing[] = [];
/** The requests to a webhook that is subscribed to the events of the partner. */
const hooked: Outgoing[] = [];
/** The secrets of the connection, in the order of their creation. */
const secrets: string[] = [];

/** If true, the partner refuses each application with a response that repeats its sensitive values. */
let refuses = true;
let partnerUrl = '';
/** Records the requests, and passes the requests to the partner on. */
const recorder = await startLoopbackServer(async (request, response) => {
  const body = await buffer(request);
  const { method, url = '', headers } = request;
  const outgoing = { path: `${method} ${url}`, headers, body: body.toString() };
  if (url === '/hook') {
    hooked.push(outgoing);
    response.writeHead(204).end();
    return;
  }
  sent.push(outgoing);
  if (refuses && url === '/applications') {
    // A mail shortens a reason, so a value comes first.
    const repeated = { ssn: canaries.ssn, error: 'invalid_owner', values: canaries };
    response.writeHead(422).end(JSON.stringify(repeated));
    return;
  }
  const passedOn = await fetch(partnerUrl + url, {
    method,
    headers: headers as Record<string, string>,
    ...(method === 'POST' && { body }),
  });
  response.writeHead(passedOn.status).end(await passedOn.text());
});
afterAll(recorder.stop);

beforeAll(async () => {
  const printed: unknown[] = [];
  const spies = [
    ...(['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => Boolean(printed.push(text))),
    ),
    ...(['log', 'warn', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation((...texts) => void printed.push(texts)),
    ),
  ];
  logged.length = 0;
  const [wire, mails, deadLetters]: unknown[][] = [[], [], []];
  let place = wire;
  const stop = watchWire({
    done: ({ invocation, service, input, output }) =>
      invocation && (service === 'ses' ? mails : place)?.push(input, output),
  });

  const world = await connected({ supportCategory: 7 });
  const { owner, partner } = world;
  const { admin } = owner;
  partnerUrl = partner.url;
  const { uniqueId: defaultTicketTypeId } = await admin.ok(createTicketType, {
    body: { name: 'Partner request', description: 'Sent by the partner', category: 'technical' },
  });
  const { publicKey } = partner;
  await admin.ok(savePartnerConnection, {
    body: { url: recorder.endpoint, publicKey, active: true, defaultTicketTypeId },
  });
  const rotated = await admin.ok(rotatePartnerSecret, {});
  secrets.push(world.secret, rotated.secret);
  const kinds = Object.keys(partnerIntegration.events) as EventKind[];
  await admin.ok(setNotificationPreferences, {
    params: { email: owner.adminEmail },
    body: kinds.map((event) => ({ event, deliveryPref: ['email', 'website'] as const })),
  });
  await admin.ok(createWebhook, { body: { url: `${recorder.endpoint}/hook`, events: kinds } });

  // A refusal with a response that repeats the values, a transfer, a ticket in both directions, and a sync.
  const answers: unknown[] = [];
  const params = await submitted(world);
  answers.push(await partnerStateOf(owner, params));
  refuses = false;
  await admin.ok(submitToPartner, { params });
  await drain();
  await partner.walked();
  await drain();
  const [ticket] = (await admin.ok(listTickets)).data;
  await admin.ok(createTicketComment, {
    params: { ticketId: ticket?.uniqueId ?? '' },
    body: { body: 'It was shipped today.' },
  });
  await admin.ok(syncWithPartner, { params });
  await admin.ok(testPartnerConnection, {});
  await drain();
  answers.push(await partnerStateOf(owner, params), await admin.ok(readPartnerConnection, {}));
  expect(answers).toMatchObject([{ state: 'failed' }, { status: 'boarded' }, { url: recorder.endpoint }]);

  // The relay cannot read these records as events, so they become dead letters unchanged.
  place = deadLetters ?? [];
  const stream = await wholeStream();
  const records = stream.filter(({ dynamodb }) => dynamodb.NewImage?.sk?.S !== undefined);
  await relay({ Records: records } as Parameters<typeof relay>[0]);
  stop();
  for (const spy of spies) spy.mockRestore();
  const { data: events } = await admin.ok(listEvents, { query: { pageSize: 100 } });
  const outside = sent.map(({ body, ...rest }) => {
    const { sensitive: _, ...clear } = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
    return { ...rest, body: clear };
  });
  Object.assign(places, { items: await scanTable(), stream, wire, mails, deadLetters, answers, events });
  Object.assign(places, { logs: [logged, printed], 'requests outside the JWE': outside, webhooks: hooked });
});

test('the partner gets the sensitive values in a JWE of five parts', () => {
  const bodies = sent.flatMap(({ path, body }) =>
    path === 'POST /applications' ? [JSON.parse(body) as { sensitive: string }] : [],
  );
  expect(bodies).toHaveLength(2);
  for (const { sensitive } of bodies) expect(sensitive).toMatch(/^eyJ[\w-]+(\.[\w-]+){4}$/);
});

describe.each([
  'items',
  'stream',
  'wire',
  'mails',
  'deadLetters',
  'answers',
  'events',
  'logs',
  'requests outside the JWE',
  'webhooks',
])('the place “%s”', (place) => {
  test('contains no sensitive value in plain text', () => {
    const text = JSON.stringify(places[place]);
    expect(text.length).toBeGreaterThan(100);
    const spellings = Object.values(canaries).flatMap((value) => [value, value.replaceAll('-', '')]);
    expect(spellings.flatMap(encodingsOf).filter((spelling) => text.includes(spelling))).toEqual([]);
  });

  test('contains no secret of the connection', () => {
    expect(secrets).toEqual([expect.stringMatching(/^whsec_/), expect.stringMatching(/^whsec_/)]);
    const text = JSON.stringify(places[place]);
    const spellings = secrets.flatMap((secret) => {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
      return [key.toString('base64'), key.toString('base64url'), key.toString('hex'), ...encodingsOf(secret)];
    });
    expect(spellings.filter((spelling) => text.includes(spelling))).toEqual([]);
  });
});

const encodingsOf = (text: string): string[] => [
  text,
  Buffer.from(text).toString('base64url'),
  Buffer.from(text).toString('hex'),
];
