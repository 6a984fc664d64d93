import { beforeAll, expect, test } from 'vitest';
import type { readAccountDetails, readAccountTree } from '../../infra/local/console/read-accounts.ts';
import type { readBilling, readInvoice } from '../../infra/local/console/read-billing.ts';
import type { readSupportAccess } from '../../infra/local/console/read-support-access.ts';
import type { VanityDomain } from '../../shared/domains/schema.ts';
import { publishFile, publishRecord, servers } from '../domains/world.ts';
import { atEndOfAll } from '../harness/temporary-folder.ts';
import { type ConsoleService, startConsoleService } from './console-service.ts';

let running: ConsoleService;
const atEnd = atEndOfAll();

beforeAll(async () => {
  running = await startConsoleService(atEnd, { DOMAIN_SERVERS: servers.setting });
});

const local: ConsoleService['local'] = (...sent) => running.local(...sent);
const read = <T>(path: string): Promise<T> => running.read(path);
const done = { status: 200, body: {} };
const rejected = (status: number, message: RegExp) => ({
  status,
  body: { message: expect.stringMatching(message) },
});

/** Creates an account type and a child account with this type. Returns the id of the child account. */
async function createChild(name: string): Promise<string> {
  const { id: accountTypeId } = await running.api('POST', '/account-types', {
    name: `Type of ${name}`,
    permissions: ['readLeads', 'writeLeads'],
    limits: { users: 3 },
  });
  const adminEmail = `${name.toLowerCase().replaceAll(' ', '.')}@example.com`;
  return String((await running.api('POST', '/accounts', { name, accountTypeId, adminEmail })).id);
}

type Details = NonNullable<Awaited<ReturnType<typeof readAccountDetails>>>;

test('the tree of accounts is shown, and the permissions of a child account are changed through the API', async () => {
  const { accountId } = running.credentials;
  const id = await createChild('Harbor Agents');
  const permissions = ['readLeads', 'writeLeads'];
  expect(await read<Awaited<ReturnType<typeof readAccountTree>>>('accounts')).toMatchObject({
    total: 2,
    accounts: [
      { id: accountId, name: 'Local account', level: 1, isOwn: true },
      {
        ...{ id, name: 'Harbor Agents', level: 2, isChild: true, status: 'active', permissions },
        typeName: 'Type of Harbor Agents',
        parentAccountId: accountId,
      },
    ],
    types: [{ name: 'Type of Harbor Agents', permissions, limits: { users: 3 } }],
    erased: [],
  });
  expect(await local('PUT', `accounts/${id}/permissions`, { permissions: ['writeMerchants'] })).toEqual(
    rejected(403, /account type/),
  );
  expect(await local('PUT', `accounts/${id}/permissions`, { permissions: ['readLeads'] })).toEqual(done);
  expect(await read<Details>(`accounts/${id}`)).toMatchObject({
    account: { permissions: ['readLeads'], limits: { users: 3 } },
    type: { permissions },
    counts: { users: 1, leads: 0 },
  });
  for (const other of ['acc_none', 'x y']) expect((await local('GET', `accounts/${other}`)).status).toBe(404);
});

test('an account is deleted and reopened through the API, and the progress of its export is shown', async () => {
  const { accountId } = running.credentials;
  const id = await createChild('Pier Agents');
  const details = () => read<Details>(`accounts/${id}`);
  expect(await local('POST', `accounts/${id}/close`, { confirmName: 'Pier' })).toEqual(
    rejected(400, /^confirmName must be the name/),
  );
  expect((await details()).closing).toBeUndefined();
  expect(await local('POST', `accounts/${accountId}/close`, { confirmName: 'Local account' })).toEqual(
    rejected(400, /child accounts/),
  );

  expect(await local('POST', `accounts/${id}/close`, { confirmName: 'Pier Agents' })).toEqual(done);
  const { account, closing } = await details();
  expect(account).toMatchObject({ status: 'closed', isChild: true });
  expect(Date.parse(String(account.erasesAt)) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect(closing?.closedBy).toBe(running.credentials.adminEmail);
  await expect
    .poll(async () => {
      await local('POST', 'schedules/account-closings/run');
      return (await details()).closing;
    })
    .toMatchObject({ exported: true, records: expect.any(Number) });

  expect(await local('POST', `accounts/${id}/reopen`)).toEqual(done);
  const after = await details();
  expect(after.account).toMatchObject({ status: 'active' });
  expect(after.closing).toBeUndefined();
});

test('a domain is requested, validated, activated and deleted through the API, whose errors are shown', async () => {
  expect(await local('POST', 'domains', { domain: 'https://pay.example.com' })).toEqual(
    rejected(400, /^domain must be a domain without scheme/),
  );
  expect(await local('POST', 'domains', { domain: 'pay.example.com' })).toEqual(done);
  const shown = async () => (await read<VanityDomain[]>('domains'))[0] ?? expect.fail('no domain');
  const domain = await shown();
  expect(domain).toMatchObject({
    status: 'requested',
    txtRecord: { name: '_merchant-ops-challenge.pay.example.com', value: domain.webFile.content },
  });
  const step = (name: string) => local('POST', `domains/${domain.id}/${name}`);

  expect(await step('activate')).toEqual(rejected(400, /Validate the domain first/));
  expect(await step('validate')).toEqual(rejected(400, /TXT record .* does not exist/));
  publishRecord(domain);
  expect(await step('validate')).toEqual(done);
  expect(await shown()).toMatchObject({ status: 'validated' });
  expect(await step('activate')).toEqual(rejected(400, /has no address/));
  publishFile(domain);
  expect(await step('activate')).toEqual(done);
  expect(await shown()).toMatchObject({ status: 'active', proof: { lastProvedAt: expect.any(String) } });
  expect(await local('DELETE', `domains/${domain.id}`)).toEqual(done);
  expect(await read('domains')).toEqual([]);
});

type Billing = Awaited<ReturnType<typeof readBilling>>;
type Invoice = NonNullable<Awaited<ReturnType<typeof readInvoice>>>;

test('an invoice is opened and paid through the API, and the provider’s notifications are sent with its signature', async () => {
  const customerId = await createChild('Quay Agents');
  const { id } = await running.api('POST', '/invoices', {
    ...{ customerType: 'account', customerId, currency: 'USD' },
    lines: [{ description: 'Card terminal', quantity: 1, unitAmount: 10_000 }],
  });
  const billing = () => read<Billing>('billing');
  const invoice = () => read<Invoice>(`billing/invoices/${id}`);
  const change = (path: string, body?: object) => local('POST', `billing/invoices/${id}/${path}`, body);
  expect(await billing()).toMatchObject({ total: 1, invoices: [{ id, status: 'draft', digits: 2 }] });
  expect(await change('open')).toEqual(done);
  expect(await change('open')).toMatchObject({ status: 400 });
  expect(await invoice()).toMatchObject({ status: 'open', number: 'INV-000001', amountDue: 10_000 });

  const notify = (data: object, type = 'payment.received') =>
    local('POST', 'billing/notifications', { type, data });
  const payment = { invoiceNumber: 'INV-000001', amount: 4_000, currency: 'USD', reference: 'pi_1' };
  expect(await notify(payment)).toEqual(rejected(404, /no payment provider/));
  const provider = { name: 'Northwind Payments', active: true };
  expect(await local('PUT', 'billing/provider', provider)).toEqual(done);
  expect(await notify(payment)).toEqual({ status: 200, body: { result: 'applied' } });
  expect(await notify(payment)).toEqual({ status: 200, body: { result: 'duplicate' } });
  expect(await notify({ ...payment, invoiceNumber: 'INV-000009', reference: 'pi_2' })).toEqual({
    status: 200,
    body: { result: 'unmatched', reason: 'unknown_invoice' },
  });

  const bank = { method: 'bank_transfer', reference: 'wire-1' };
  expect(await change('payments', { ...bank, amount: 7_000 })).toMatchObject({ status: 400 });
  expect(await change('payments', { ...bank, amount: 6_000 })).toEqual(done);
  expect(await invoice()).toMatchObject({
    ...{ status: 'paid', amountDue: 0, received: 10_000 },
    payments: [
      { reference: 'pi_1', createdBy: 'payment_provider' },
      { reference: 'wire-1', amount: 6_000 },
    ],
  });
  expect(await change('refunds', { amount: 1_000, reference: 'refund-1', reopens: true })).toEqual(done);
  expect(await change('credits', { amount: 400, reason: 'Goodwill' })).toEqual(done);
  expect(await change('uncollectible')).toEqual(done);
  expect(await invoice()).toMatchObject({ status: 'uncollectible', credited: 400, writtenOff: 600 });

  const { frame } = await read<{ frame: string }>(`billing/invoices/${id}/print`);
  expect(await (await fetch(running.credentials.baseUrl + frame)).text()).toContain('INV-000001');
  for (const path of ['1', 'x', '1/print'])
    expect((await local('GET', `billing/invoices/${path}`)).status).toBe(404);

  expect(await local('PUT', 'billing/provider', { ...provider, active: false })).toEqual(done);
  expect(await notify({ ...payment, reference: 'pi_3' })).toEqual(rejected(401, /signature/));
  const shown = await billing();
  expect(shown).toMatchObject({
    provider: { name: 'Northwind Payments', active: false },
    unmatched: [{ reason: 'unknown_invoice', reference: 'pi_2', digits: 2 }],
  });
  expect(JSON.stringify(shown)).not.toMatch(/whsec_|"jwe"|"secrets"|eyJ/);
});

type Access = Awaited<ReturnType<typeof readSupportAccess>>;

test('an impersonation is shown and ended, remains after the user leaves, and can be forbidden', async () => {
  const { baseUrl, accountId, adminEmail } = running.credentials;
  const email = 'grace@example.com';
  await running.api('POST', '/users', { email, name: 'Grace Hopper' });
  const access = () => read<Access>('support-access');
  expect(await access()).toMatchObject({ impersonationForbidden: false, impersonations: [] });
  const path = `/users/${email}/impersonation`;
  const { token } = await running.api('POST', path, { reason: 'Ticket TKT-000001' });
  const [open] = (await access()).impersonations;
  expect(open).toMatchObject({
    ...{ email, createdBy: adminEmail, reason: 'Ticket TKT-000001' },
    ...{ write: false, isOpen: true },
  });
  expect(open).not.toHaveProperty('sessionId');
  const status = async () =>
    (
      await fetch(`${baseUrl}/auth/session`, {
        headers: { authorization: `Bearer ${token}`, 'x-account-id': accountId },
      })
    ).status;
  expect(await status()).toBe(200);
  expect(await local('DELETE', `support-access/${email}`)).toEqual(done);
  expect(await status()).toBe(401);
  expect((await access()).impersonations).toMatchObject([{ isOpen: false, endedAt: expect.any(String) }]);

  const forbid = (impersonationForbidden: boolean) =>
    local('PUT', 'support-access', { impersonationForbidden });
  expect(await forbid(true)).toEqual(done);
  expect(await access()).toMatchObject({ impersonationForbidden: true });
  expect(await forbid(false)).toEqual(done);
  expect(await local('DELETE', 'support-access/nobody@example.com')).toMatchObject({ status: 404 });

  await running.api('POST', path, { reason: 'Ticket TKT-000003' });
  expect((await access()).impersonations[0]).toMatchObject({ isOpen: true, canEnd: true });
  await running.api('DELETE', `/users/${email}`);
  expect((await access()).impersonations).toMatchObject([
    { email, reason: 'Ticket TKT-000003', isOpen: false, canEnd: false },
    { email, reason: 'Ticket TKT-000001', isOpen: false, canEnd: false },
  ]);
});

test('capture is switched on, a body is shown with a reason, and the body contains no sensitive values', async () => {
  expect(await local('PUT', 'body-capture', { days: 15 })).toEqual(rejected(400, /^days /));
  expect(await local('PUT', 'body-capture', { days: 2 })).toEqual(done);
  const access = () => read<Access>('support-access');
  expect(Date.parse(String((await access()).bodyCaptureUntil)) - Date.now()).toBeGreaterThan(86_400_000);
  const { id: application } = await running.api('POST', '/applications', {});
  await running.api('PATCH', `/applications/${application}`, {
    businessOwners: [{ name: 'Ada Byron', socialSecurityNumber: '321-54-9876' }],
  });
  const captured = async () => (await access()).events.find(({ kind }) => kind === 'application_updated');
  await expect.poll(captured).toMatchObject({ hasRequestBody: true, hasResponseBody: true });
  const { id } = (await captured()) ?? expect.fail('no event');

  const reveal = (part: string, reason: string) => local('POST', `body-capture/${id}/${part}`, { reason });
  expect(await reveal('request-body', '')).toEqual(rejected(400, /^reason /));
  const { status, body } = await reveal('request-body', 'Ticket TKT-000002');
  expect([status, body]).toEqual([200, expect.objectContaining({ eventId: id, truncated: false })]);
  expect(body).toMatchObject({ body: expect.stringContaining('Ada Byron') });
  expect(body).toMatchObject({ body: expect.not.stringContaining('321-54-9876') });
  expect(await reveal('response-body', 'Ticket TKT-000002')).toMatchObject({ status: 200 });
  const { data: events } = (await running.api('GET', '/events?kind=event_request_body_revealed')) as {
    data: { data: unknown; actor: { user: string } }[];
  };
  expect(events).toMatchObject([{ data: { eventId: id, reason: 'Ticket TKT-000002' } }]);

  expect(await local('DELETE', 'body-capture')).toEqual(done);
  expect((await access()).bodyCaptureUntil).toBeUndefined();
});
