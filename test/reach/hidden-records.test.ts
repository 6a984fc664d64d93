import { expect, test } from 'vitest';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import createMid from '../../functions/merchants/create-mid.ts';
import listMerchants from '../../functions/merchants/list-merchants.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { permissionsOf } from '../../shared/endpoints/contract.ts';
import type { AnyContract, Endpoint } from '../../shared/endpoints/endpoint.ts';
import { limitedPermissions } from '../../shared/resources/derived.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { measure } from '../costs/meter.ts';
import { member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { happyPath, recordFor } from '../routes/happy-paths.ts';
import { nameOf } from '../routes/records.ts';
import { ticketInput } from '../tickets/new-tickets.ts';
import { others, wide } from './permission-parts.ts';

const acme = await tenant();

const isWide = (name: Permission) => wide.includes(name);
const ownOf = (...verbs: readonly string[]) =>
  Object.entries(limitedPermissions).flatMap(([name, { own = [] }]) =>
    verbs.some((verb) => name.startsWith(verb)) ? own : [],
  );

/** A user who may do everything, but reaches only own records. */
const agent = await member(acme, [...others, ...ownOf('read', 'write')]);
/** A user who may change own records, and read none. */
const writer = await member(acme, [...others, ...ownOf('write')]);

const ofReachedTypes = (permissions: readonly Permission[]): boolean => permissions.some(isWide);

const endpoints = (await loadEndpoints()).map(({ endpoint }) => endpoint);
const named = (chosen: readonly Endpoint[]) => chosen.map((one) => [nameOf(one.contract), one] as const);

/**
 * The routes that need the permission for all records. Each reason says why the endpoint cannot be limited to some of them.
 * A new route with such a permission declares `reach`, or is added here.
 */
const unlimited: Readonly<Record<string, string>> = {
  'POST /applications/{applicationId}/risk-assessment':
    'The score shows whether any other record has the same values.',
  'GET /applications/{applicationId}/collisions': 'The response names all records with the same values.',
  'POST /reassignments': 'All records of a user get another owner.',
  'GET /reassignments/{id}': 'The progress counts all records of a user.',
  'GET /underwriting-rules/report': 'The report counts all applications.',
  'POST /underwriting-rules/test': 'The test compares decisions on all applications.',
  'POST /underwriting-rules/{id}/test': 'The test compares decisions on all applications.',
  'GET /underwriting-rules/{id}/tests/{testId}': 'The result names applications of all owners.',
};

test.each(named(endpoints.filter(({ contract }) => ofReachedTypes(permissionsOf(contract)))))(
  '%s is limited to the records that the caller reaches, or needs the permission for all',
  (name, { contract }) => {
    expect(contract.reach !== undefined).toBe(!(name in unlimited));
  },
);

/** The paths of a record that can be hidden, and of the records below it. */
const isBelowReached = ({ path }: { path: string }) =>
  /^\/(leads|applications|merchants|tickets)\/\{/.test(path);

const text = (value: unknown, ids: object): string =>
  Object.values(ids).reduce<string>(
    (result, id) => result.replaceAll(String(id), 'ID'),
    JSON.stringify(value),
  );

async function send(by: Client, endpoint: Endpoint, params: object, body?: unknown) {
  const response = await by.call<AnyContract>(endpoint, { params, body } as object);
  return { status: response.status, body: text(response.body, params) };
}

test.each(named(endpoints.filter(({ contract }) => isBelowReached(contract))))(
  '%s responds to a hidden record as to an unknown one, with the same requests',
  async (_, endpoint) => {
    const { real, nowhere } = await recordFor(endpoint, acme);
    const { body } = await happyPath(endpoint, acme);
    for (const { client } of [agent, writer]) {
      await measure(() => send(client, endpoint, nowhere, body));
      const hidden = await measure(() => send(client, endpoint, real, body));
      const unknown = await measure(() => send(client, endpoint, nowhere, body));
      expect(hidden.result).toEqual(unknown.result);
      expect([403, 404]).toContain(hidden.result.status);
      expect(sentBy(hidden)).toEqual(sentBy(unknown));
    }
  },
);

/** The requests without those that count calls, which are sent after several calls together. */
const sentBy = ({ exchanges }: { exchanges: readonly { operation: string }[] }): string[] =>
  exchanges.flatMap(({ operation }) => (operation === 'UpdateItem' ? [] : [operation])).sort();

/** A MID of a merchant of somebody else: its ids, and its number. */
async function newMid() {
  const { id: merchantId } = await acme.admin.ok(createMerchant, { body: { merchantName: 'Harbor Street' } });
  const mid = `49${merchantId}`.slice(0, 15);
  const { id } = await acme.admin.ok(createMid, { params: { merchantId }, body: { mid } });
  return { merchantId, id, mid };
}

/** Requests that name MIDs, or the merchant of the first one. */
const naming: Readonly<Record<string, (mids: readonly Awaited<ReturnType<typeof newMid>>[]) => object>> = {
  'POST /tickets with midId': ([one]) => ({ body: { ...ticketInput, midId: one?.id } }),
  'POST /tickets for the requester of a MID': ([one]) => ({
    body: { ...ticketInput, requesterType: 'mid', requesterId: String(one?.id) },
  }),
  'POST /tickets for a requester inside a merchant': ([one]) => ({
    body: { ...ticketInput, requesterType: 'merchant-internal', requesterId: String(one?.merchantId) },
  }),
  'GET /tickets with midId': (all) => ({ query: { midId: all.map(({ id }) => id) } }),
  'GET /merchants with mid': (all) => ({ query: { mid: all.map(({ mid }) => mid) } }),
  'GET /merchants with the number of a MID in search': ([one]) => ({ query: { search: one?.mid } }),
  'GET /search for the number of a MID': ([one]) => ({ query: { q: one?.mid } }),
};

const mentioned: readonly Endpoint[] = [createTicket, listTickets, listMerchants, searchRecords];
const requests = Object.entries(naming).flatMap(([name, sent]) =>
  mentioned.flatMap((one) =>
    name.startsWith(`${nameOf(one.contract)} `) ? [[name, one, sent] as const] : [],
  ),
);

test('all requests that name MIDs are sent', () => expect(requests).toHaveLength(Object.keys(naming).length));

test.each(requests)(
  '%s treats a MID of a hidden merchant as unknown, with the same requests',
  async (_, endpoint, sent) => {
    const found = [await newMid(), await newMid()];
    const nowhere = found.map((_one, n) => ({ merchantId: 11 + n, id: 21 + n, mid: `48000000000${n}` }));
    const answer = (by: Client, mids: typeof found) => async () => {
      const { status, body, headers } = await by.call<AnyContract>(endpoint, sent(mids));
      return {
        status,
        body: mids.reduce((shown, { mid, ...ids }) => text(shown, { mid, ...ids }), body as unknown),
        headers: Object.keys(headers).sort(),
      };
    };
    await measure(answer(agent.client, nowhere));
    const hidden = await measure(answer(agent.client, found));
    const unknown = await measure(answer(agent.client, nowhere));
    expect(hidden.result).toEqual(unknown.result);
    expect([200, 400]).toContain(hidden.result.status);
    expect([sentBy(hidden), hidden.sequence]).toEqual([sentBy(unknown), unknown.sequence]);
  },
);

test('an unknown MID causes no further read for callers who reach all merchants', async () => {
  const query = { mid: ['480000000001'] };
  await acme.key.ok(listMerchants, { query });
  const sent = await measure(() => acme.key.ok(listMerchants, { query }));
  expect(sentBy(sent)).toEqual(['BatchGetItem', 'BatchGetItem']);
  const body = { ...ticketInput, midId: 21 };
  const created = await measure(() => acme.key.call(createTicket, { body }));
  expect(created.result.status).toBe(400);
  expect(sentBy(created)).toEqual(['BatchGetItem', 'GetItem']);
});
