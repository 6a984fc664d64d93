import { expect, test } from 'vitest';
import createAccountType from '../../functions/account-types/create-account-type.ts';
import createChildAccount from '../../functions/accounts/create-child-account.ts';
import listChildAccounts from '../../functions/accounts/list-child-accounts.ts';
import updateAccount from '../../functions/accounts/update-account.ts';
import createApplication from '../../functions/applications/create-application.ts';
import requestDomain from '../../functions/domains/request-domain.ts';
import listEvents from '../../functions/events/list-events.ts';
import createLead from '../../functions/leads/create-lead.ts';
import deleteLead from '../../functions/leads/delete-lead.ts';
import updateLead from '../../functions/leads/update-lead.ts';
import createMerchant from '../../functions/merchants/create-merchant.ts';
import searchRecords from '../../functions/search/search-records.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import listTickets from '../../functions/tickets/list-tickets.ts';
import createUnderwritingRule from '../../functions/underwriting-rules/create-underwriting-rule.ts';
import deleteUnderwritingRule from '../../functions/underwriting-rules/delete-underwriting-rule.ts';
import impersonateUser from '../../functions/users/impersonate-user.ts';
import updateUser from '../../functions/users/update-user.ts';
import { listKey, recordKey } from '../../shared/table/keys.ts';
import { plantMail } from '../correspondence/planted-mails.ts';
import { childAccount } from '../harness/child-account.ts';
import { drain } from '../harness/drain.ts';
import { joins, member } from '../harness/member.ts';
import { putRange } from '../harness/seed.ts';
import { type Client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const { admin } = acme;
const find = (q: string, caller: Client = admin) => caller.ok(searchRecords, { query: { q } });
const ofAdministrators = { domains: [], accountTypes: [], childAccounts: [] };
const nothing = {
  ...{
    leads: [],
    applications: [],
    merchants: [],
    tickets: [],
    mails: [],
    invoices: [],
    users: [],
    underwritingRules: [],
  },
  ...ofAdministrators,
  impersonations: [],
};

const lead = await admin.ok(createLead, {
  body: { firstName: 'José', lastName: 'Núñez', email: 'jose@example.com' },
});
const application = await admin.ok(createApplication, { body: { basics: { dbaName: 'Núñez & Sons' } } });
const merchant = await admin.ok(createMerchant, { body: { merchantName: 'Nunez Coffee' } });
const ticket = await admin.ok(createTicket, {
  body: {
    subject: 'Terminal',
    description: 'Mr. Nunez has no receipts.',
    category: 'technical',
    requesterType: 'lead',
    requesterId: String(lead.id),
  },
});
const mail = await plantMail(acme, { subject: 'Paper for Núñez' });
const { user, client: owner } = await member(acme);
const params = { email: user.email };
await admin.ok(updateUser, { params, body: { name: 'Ana Núñez' } });
await drain();

const idsOf = (groups: Awaited<ReturnType<typeof find>>) =>
  Object.fromEntries(Object.entries(groups).map(([type, records]) => [type, records.map(({ id }) => id)]));

test('a search finds records of all types, as their lists show them', async () => {
  const found = await find('nunez');
  expect(idsOf(found)).toEqual({
    leads: [lead.id],
    applications: [application.id],
    merchants: [merchant.id],
    tickets: [ticket.id],
    mails: [mail.id],
    invoices: [],
    users: [user.id],
    underwritingRules: [],
    ...ofAdministrators,
    impersonations: [],
  });
  const { data } = await admin.ok(listTickets, { query: { search: 'nunez' } });
  expect(found.tickets).toEqual(data);
  expect(await find('sons nun')).toMatchObject({ ...nothing, applications: [{ id: application.id }] });
  expect(await find(ticket.ticketNumber.toLowerCase())).toMatchObject({ tickets: [{ id: ticket.id }] });
  expect(await find(user.email)).toMatchObject({ ...nothing, users: [{ id: user.id }] });
  expect(await find('nobody')).toEqual(nothing);
  expect(await find('…')).toEqual(nothing);
});

test('a search finds a user among 100 newer ones, and in every account that shows the user’s own profile', async () => {
  const other = await tenant();
  await joins({ user }, other);
  await putRange(0, 101, (n) => {
    const id = user.id + 1_000_000 + n;
    const key = { ...recordKey(acme.accountId, 'MEMBER', id), ...listKey(acme.accountId, 'MEMBER', id) };
    return [{ ...key, type: 'member', id, accountId: acme.accountId, version: 1, active: true, roleIds: [] }];
  });
  await owner.ok(updateUser, { params, body: { phone: '+14155550177' } });
  await drain();
  for (const { admin: caller } of [acme, other])
    expect(await find('0177', caller)).toMatchObject({ ...nothing, users: [{ id: user.id }] });
  const { data } = await other.admin.ok(listEvents, { query: { kind: 'user_updated' } });
  const [event] = data.filter(({ subject }) => subject.id === user.id);
  expect(event).toMatchObject({ actor: { user: 'system' }, request: { headers: {}, ipAddress: '' } });
});

test('at most five records of a type are returned: whole words before beginnings, names before texts, then newest', async () => {
  const create = (lastName: string, more = {}) =>
    admin.ok(createLead, { body: { firstName: 'Ada', lastName, ...more } });
  const text = await create('Byron', { notes: 'Knows Quill.' });
  const beginning = await create('Quillon');
  const older = await create('Quill');
  const newer = await create('Quill');
  await drain();
  expect((await find('quill')).leads?.map(({ id }) => id)).toEqual([
    newer.id,
    older.id,
    text.id,
    beginning.id,
  ]);
  for (let n = 0; n < 4; n++) await create('Quill');
  await drain();
  const { leads } = await find('quill');
  expect(leads?.map(({ lastName }) => lastName)).toEqual(Array.from({ length: 5 }, () => 'Quill'));
  expect(leads?.map(({ id }) => id)).not.toContain(older.id);
});

test('a changed or deleted record is not found by its old words, even before the index is updated', async () => {
  const [changed, deleted] = [
    await admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Stale' } }),
    await admin.ok(createLead, { body: { firstName: 'Bea', lastName: 'Stale' } }),
  ];
  await drain();
  expect((await find('stale')).leads).toHaveLength(2);
  await admin.ok(updateLead, { params: { leadId: changed.id }, body: { lastName: 'Fresh' } });
  await admin.ok(deleteLead, { params: { leadId: deleted.id } });
  expect((await find('stale')).leads).toEqual([]);
  await drain();
  expect((await find('fresh')).leads).toMatchObject([{ id: changed.id }]);
});

test('a caller gets only the types that it may read, and only records of its account', async () => {
  const { client: sales } = await member(acme, ['readLeads', 'readMerchants']);
  expect(idsOf(await find('nunez', sales))).toEqual({
    leads: [lead.id],
    merchants: [merchant.id],
    impersonations: [],
  });
  const { client: support } = await member(acme, ['readTickets']);
  expect(idsOf(await find('nunez', support))).toEqual({ tickets: [ticket.id], impersonations: [] });
  const { client: postRoom } = await member(acme, ['readMails']);
  expect(await find('nunez', postRoom)).toMatchObject({ mails: [{ id: mail.id }] });
  const other = await tenant();
  expect(await find('nunez', other.admin)).toEqual(nothing);
});

const ruleOf = (name: string) =>
  ({
    name,
    description: 'For quays.',
    when: { field: 'risk.score', between: { to: 20 } },
    action: { kind: 'approve' },
  }) as const;

test('a search finds underwriting rules, domains, account types and child accounts by the words of their lists', async () => {
  const own = await tenant();
  const rule = await own.admin.ok(createUnderwritingRule, { body: ruleOf('Harbor shops') });
  const archived = await own.admin.ok(createUnderwritingRule, { body: ruleOf('Harbor bars') });
  await own.admin.ok(deleteUnderwritingRule, { params: { id: archived.id } });
  const domain = await own.admin.ok(requestDomain, { body: { domain: 'häfen.example.com' } });
  const type = await own.admin.ok(createAccountType, {
    body: { name: 'Harbor partner', permissions: ['readLeads'] },
  });
  const body = { name: 'Harbor Agents', accountTypeId: type.id, adminEmail: 'agent@search.test' };
  const child = await own.admin.ok(createChildAccount, { body });
  expect(await find('harbor', own.admin)).toEqual({
    ...nothing,
    underwritingRules: [rule],
    accountTypes: [type],
    childAccounts: [child],
  });
  expect(await find('quays', own.admin)).toEqual({ ...nothing, underwritingRules: [rule] });
  expect(await find('hafen', own.admin)).toEqual({ ...nothing, domains: [domain] });
  expect(await find('…', own.admin)).toEqual(nothing);
});

test('a child account is found by its present name', async () => {
  const own = await tenant();
  const child = await childAccount(own);
  await child.admin.ok(updateAccount, { params: { id: child.accountId }, body: { name: 'Pier Agents' } });
  const found = async (q: string) => (await find(q, own.admin)).childAccounts?.map(({ id }) => id);
  expect(await found('child')).toEqual([]);
  expect(await found('pier')).toEqual([child.accountId]);
  const { data } = await own.admin.ok(listChildAccounts, { query: { search: 'pier' } });
  expect(data.map(({ id }) => id)).toEqual([child.accountId]);
});

test('only administrators search domains, account types and child accounts, and rules need their permission', async () => {
  const own = await tenant();
  const rule = await own.admin.ok(createUnderwritingRule, { body: ruleOf('Byron') });
  const child = await childAccount(own);
  const { client: underwriter } = await member(own, ['readUnderwritingRules']);
  expect(await find('byron', underwriter)).toEqual({ underwritingRules: [rule], impersonations: [] });
  const groupsOf = async (caller: Client) => Object.keys(await find('byron', caller));
  for (const caller of [own.key, own.directKey])
    expect(await groupsOf(caller)).toEqual(
      Object.keys(nothing).filter((type) => !(type in ofAdministrators || type === 'impersonations')),
    );
  expect(await find('byron', child.admin)).toEqual(nothing);
});

test('administrators find impersonations by user, administrator and reason, users find only their own, and keys none', async () => {
  const own = await tenant();
  const [grace, ada] = [await member(own, ['readLeads']), await member(own, ['readLeads'])];
  for (const [{ user: of }, reason] of [
    [grace, 'Ticket 4711: the export is empty'],
    [ada, 'Ticket 4712: the import fails'],
  ] as const)
    await own.admin.ok(impersonateUser, { params: { email: of.email }, body: { reason } });
  const found = async (q: string, caller: Client = own.admin) =>
    (await find(q, caller)).impersonations?.map(({ reason }) => reason.slice(0, 11));
  expect(await found('ticket')).toEqual(['Ticket 4712', 'Ticket 4711']);
  expect(await found('4711 export')).toEqual(['Ticket 4711']);
  expect(await found(ada.user.email)).toEqual(['Ticket 4712']);
  expect(await found(own.adminEmail)).toEqual(['Ticket 4712', 'Ticket 4711']);
  expect(await found('ticket', grace.client)).toEqual(['Ticket 4711']);
  expect(await found('4712', grace.client)).toEqual([]);
  expect(await found('ticket', own.key)).toBeUndefined();
  expect(await found('ticket', acme.admin)).toEqual([]);
  expect(JSON.stringify(await find('ticket', own.admin))).not.toMatch(/sessionId|"home"/);
});
