import { describe, expect, test } from 'vitest';
import createApplication from '../../functions/applications/create-application.ts';
import readApplication from '../../functions/applications/read-application.ts';
import setApplicationOwner from '../../functions/applications/set-application-owner.ts';
import assignLead from '../../functions/leads/assign-lead.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import listLeads from '../../functions/leads/list-leads.ts';
import readLead from '../../functions/leads/read-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import readMerchant from '../../functions/merchants/read-merchant.ts';
import setMerchantOwner from '../../functions/merchants/set-merchant-owner.ts';
import createTeam from '../../functions/teams/create-team.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import readTicket from '../../functions/tickets/read-ticket.ts';
import updateTicket from '../../functions/tickets/update-ticket.ts';
import type { AnyContract, Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { Permission } from '../../shared/resources/registry.ts';
import { measure } from '../costs/meter.ts';
import { concurrently } from '../harness/concurrently.ts';
import { type Member, member } from '../harness/member.ts';
import { type Client, tenant } from '../harness/tenant.ts';
import { ticketInput } from '../tickets/new-tickets.ts';

const acme = await tenant();
const { admin } = acme;
const idOf = ({ user }: Member) => String(user.id);
const other = await member(acme);

interface Creation {
  create: Endpoint;
  body: object;
  query?: object;
  read: Endpoint;
  /** The parameter of the record's path. */
  parameter: string;
  /** Makes a user the owner. */
  give: Endpoint;
  owner: string;
}

const query = { skipTeamAndSourceRequirement: true };
const creations = {
  Leads: {
    ...{ create: createLead, body: { firstName: 'Ada', lastName: 'Lovelace' }, query },
    ...{ read: readLead, parameter: 'leadId', give: assignLead, owner: 'assignedTo' },
  },
  Applications: {
    ...{ create: createApplication, body: {} },
    ...{ read: readApplication, parameter: 'applicationId', give: setApplicationOwner, owner: 'ownerId' },
  },
  Merchants: {
    ...{ create: createMerchant, body: { merchantName: 'Harbor Street' } },
    ...{ read: readMerchant, parameter: 'merchantId', give: setMerchantOwner, owner: 'ownerId' },
  },
  Tickets: {
    ...{ create: createTicket, body: ticketInput },
    ...{ read: readTicket, parameter: 'ticketId', give: updateTicket, owner: 'assignedTo' },
  },
} satisfies Record<string, Creation>;

let keys = 0;

/** Creates a record with an Idempotency-Key. Returns the response, and functions for the new record. */
async function createdBy(by: Client, { create, body, query: sent, read, parameter, give, owner }: Creation) {
  const headers = { 'idempotency-key': `record ${++keys}` };
  const repeat = async (fields: object = {}) => {
    const request = { body: { ...body, ...fields }, query: sent, headers };
    const response = await by.call<AnyContract>(create, request as object);
    return { ...response, isReplayed: 'idempotency-replayed' in response.headers };
  };
  const first = await repeat();
  expect([first.status, first.isReplayed], JSON.stringify(first.body)).toEqual([201, false]);
  const { id } = first.body as unknown as { id: number };
  const params = { [parameter]: id };
  const giveTo = (user: string | null) =>
    admin.ok<AnyContract>(give, { params, body: { [owner]: user } } as object);
  return { id, repeat, giveTo, read: () => by.call<AnyContract>(read, { params } as object) };
}

describe.each(Object.entries<Creation>(creations))(
  'the stored response of a creation of %s',
  (noun, creation) => {
    const own = [`readOwn${noun}`, `writeOwn${noun}`] as Permission[];

    test('is replayed only while the caller reaches the new record', async () => {
      const one = await member(acme, own);
      const { id, repeat, giveTo, read } = await createdBy(one.client, creation);
      await giveTo(idOf(other));
      const hidden = await repeat();
      expect(hidden).toMatchObject({ status: 404, isReplayed: false });
      expect(hidden.body).toEqual((await read()).body);
      expect((await repeat({ notes: 'Another request' })).status).toBeOneOf([400, 422]);
      await giveTo(idOf(one));
      expect(await repeat()).toMatchObject({ status: 201, isReplayed: true, body: { id } });
    });

    test('is replayed to a caller who may read the new record, but no longer change it', async () => {
      const team = await admin.ok(createTeam, { body: { name: `Team ${noun} ${++keys}` } });
      const permissions = [`readTeam${noun}`, `writeOwn${noun}`] as Permission[];
      const one = await member(acme, permissions, { teamId: team.id });
      const body = { ...creation.body, [noun === 'Tickets' ? 'assignedTeamId' : 'teamId']: team.id };
      const isSendable = noun === 'Leads' || noun === 'Tickets';
      const { repeat, giveTo } = await createdBy(one.client, isSendable ? { ...creation, body } : creation);
      await giveTo(idOf(await member(acme, [], { teamId: team.id })));
      expect(await repeat()).toMatchObject({ status: 201, isReplayed: true });
    });

    test('is checked with the write permission of a caller who reads no records', async () => {
      const one = await member(acme, [`writeOwn${noun}`] as Permission[]);
      const { repeat, giveTo } = await createdBy(one.client, creation);
      expect(await repeat()).toMatchObject({ status: 201, isReplayed: true });
      await giveTo(idOf(other));
      expect((await repeat()).status).toBe(404);
    });

    test('is replayed without a further read to callers who reach all records', async () => {
      const { id, repeat, giveTo } = await createdBy(acme.directKey, creation);
      await giveTo(idOf(other));
      const { result, exchanges } = await measure(() => repeat());
      expect(result).toMatchObject({ status: 201, isReplayed: true, body: { id } });
      const operations = exchanges.map(({ operation }) => operation).filter((name) => name !== 'UpdateItem');
      expect(operations).toEqual(['BatchGetItem']);
    });
  },
);

test('a deleted record has the same response as a hidden one', async () => {
  const one = await member(acme, ['readOwnLeads', 'writeOwnLeads']);
  const [hidden, deleted] = [
    await createdBy(one.client, creations.Leads),
    await createdBy(one.client, creations.Leads),
  ];
  await hidden.giveTo(idOf(other));
  await admin.ok(deleteLead, { params: { leadId: deleted.id } });
  const [first, second] = [await hidden.repeat(), await deleted.repeat()];
  const text = ({ body }: { body: unknown }, { id }: { id: number }) =>
    JSON.stringify(body).replaceAll(String(id), 'ID');
  expect([first.status, text(first, hidden)]).toEqual([404, text(second, deleted)]);
});

test('concurrent requests of a caller with a limited permission create one record, and all get the response', async () => {
  const one = await member(acme, ['readOwnLeads', 'writeOwnLeads']);
  const sent = { query, body: creations.Leads.body, headers: { 'idempotency-key': 'at once' } };
  const responses = await concurrently(10, () => one.client.call(createLead, sent));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect((await one.client.ok(listLeads)).data.map(({ id }) => id)).toEqual([responses[0]?.body.id]);
});
