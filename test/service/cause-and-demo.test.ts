import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAddresses } from '../../infra/administration/addresses.ts';
import type { FirstCredentials } from '../../infra/administration/create-account.ts';
import { type LocalCredentials, readCredentials } from '../../infra/administration/credentials.ts';
import { contents } from '../../infra/administration/data-folder-contents.ts';
import { createDemoData } from '../../infra/administration/demo/create-demo-data.ts';
import { applicationOutcomes, demoPlan } from '../../infra/administration/demo/plan.ts';
import { forEachInParallel } from '../../infra/administration/for-each-in-parallel.ts';
import { type Client, createClient } from '../../infra/client/client.ts';
import { causeEvent, reasonAgainst } from '../../infra/operations/cause-event.ts';
import { causes } from '../../infra/scenes/causes.ts';
import { startAction } from '../../infra/scenes/http-caller.ts';
import {
  eventCatalogue,
  eventKinds,
  happeningCatalogue,
  happenings,
} from '../../shared/resources/derived.ts';
import { kindsEvery } from '../harness/heavy.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';
import { interfaceKinds } from './interface-kinds.ts';
import { startRunnerProcess } from './runner-process.ts';

const cause = operatorsCommand('events', 'cause');
const accountCreate = operatorsCommand('accounts', 'create');
const atEnd = atEndOfAll();
const folder = temporaryFolder(atEnd);
let local: LocalCredentials;

beforeAll(async () => {
  // With this limit, the event api_rate_limited needs only 200 requests.
  await startRunnerProcess({ DATA_DIR: folder, REQUESTS_PER_MINUTE: '2000' }, { atEnd });
  const credentials = readCredentials(join(folder, 'credentials.json'));
  if (!credentials) throw new Error('The runner wrote no credentials');
  local = credentials;
  process.env.DATA_DIR = folder;
});
afterAll(() => void delete process.env.DATA_DIR);

let accounts = 0;
let running: Promise<unknown> = Promise.resolve();
/** Creates accounts one after the other, because only one command can run in this process. */
function createAccount(): Promise<FirstCredentials> {
  accounts += 1;
  const options = ['--name', 'Acme', '--email', `admin-${accounts}@example.com`];
  const created = running.then(async () => JSON.parse((await accountCreate.here(...options)).stdout));
  running = created;
  return created;
}

const kindsAndHappenings = [...eventKinds, ...happenings];

test('the table of causes has exactly the kinds and happenings that the service emits', () => {
  expect(Object.keys(causes).sort()).toEqual(kindsAndHappenings.toSorted());
  const impossible = kindsAndHappenings.filter((kind) => reasonAgainst(kind) !== undefined);
  expect(impossible.sort()).toEqual([
    'cron_triggered',
    'factor_added',
    'factor_codes_rejected',
    'factor_removed',
    'healthcheck',
    'mail_address_created',
    'mail_address_deleted',
    'mail_address_updated',
    'mail_attachments_stored',
    'mail_bounced',
    'mail_domain_updated',
    'mail_failed',
    'mail_moved',
    'mail_quarantined',
    'mail_queued',
    'mail_raw_requested',
    'mail_received',
    'mail_released',
    'mail_sent',
    'recovery_codes_renewed',
    'sso_identity_linked',
    'sso_identity_unlinked',
    'system_error',
    'vanity_domain_activated',
    'vanity_domain_validated',
    'webhook_delivery_failed',
  ]);
});

// The next test causes each of these kinds. Other tests cause those without an action: the schedules, the health check and
// the happenings of factors and of sign-ins in test/events, `system_error` in test/http/responses.test.ts, `webhook_delivery_failed` in
// test/webhooks, the two kinds of domains in test/domains, and the happenings of mail in test/correspondence and test/functions.
test('the service emits each of the 132 kinds of the interface', () => {
  const kinds = Object.values(interfaceKinds).flat();
  expect(new Set(kinds).size).toBe(132);
  expect(kinds.filter((kind) => !(kind in causes))).toEqual([]);
  expect(eventKinds).toEqual(expect.arrayContaining(kinds));
});

test('the action of each kind of event and each happening causes such an event', async () => {
  const { baseUrl, accountId: account, adminEmail: email, adminPassword: password } = local;
  const client = createClient({ baseUrl, account, email, password });
  const signedIn = { client, baseUrl, account, caller: email };
  const possible = kindsAndHappenings
    .filter((kind) => reasonAgainst(kind) === undefined)
    .filter((_, n) => n % kindsEvery === 0);
  const found: string[] = [];
  await forEachInParallel(4, possible, async (kind) => {
    const { event } = await causeEvent(kind, startAction(signedIn, createAccount)).catch((error) => {
      throw new Error(`${kind}: ${error.message}`, { cause: error });
    });
    expect([event.kind, event.data.happening]).toContain(kind);
    found.push(kind);
  });
  expect(found.sort()).toEqual(possible.toSorted());
});

test('the command prints the event and the records that it created', async () => {
  const { code, stdout } = await cause.asProcess('note_created', '--json');
  expect(code).toBe(0);
  const { event, created } = JSON.parse(stdout);
  const { kind, subject } = event;
  const merchant = `/merchants/${subject.parent.id}`;
  expect({ kind, created }).toEqual({
    kind: 'note_created',
    created: [merchant, `${merchant}/notes/${subject.id}`],
  });
});

test('on the local service, the command creates the additional account that an event needs', async () => {
  const { code, stdout, stderr } = await cause.here('account_created', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { event, created } = JSON.parse(stdout);
  expect(event).toMatchObject({ kind: 'account_created', subject: { type: 'account' } });
  expect(created).toEqual([`/accounts/${event.subject.id}`]);
});

test('for an event kind that no command can cause, the command prints the reason', async () => {
  const said = async (kind: string) => {
    const { code, stderr } = await cause.here(kind);
    return { code, stderr };
  };
  expect(await said('healthcheck')).toEqual({ code: 1, stderr: expect.stringContaining('every minute') });
  expect(await said('ticket_assignd')).toEqual({
    code: 2,
    stderr: 'Unknown event kind ticket_assignd. Did you mean ticket_assigned?\n',
  });
  const { stdout } = await cause.here('--list');
  for (const [kind, { description }] of Object.entries({ ...eventCatalogue, ...happeningCatalogue }))
    expect(stdout).toMatch(new RegExp(`^  [ -] ${kind} +${description}$`, 'm'));
});

const size = 0.05;
interface Company {
  client: Client;
  account: string;
  email: string;
}

async function newCompany(): Promise<Company> {
  const { accountId: account, adminEmail: email, adminPassword: password } = await createAccount();
  return { client: createClient({ baseUrl: local.baseUrl, account, email, password }), account, email };
}

type Fields = Record<string, unknown>;

async function readAll({ client }: Company, path: string): Promise<Fields[]> {
  const found: Fields[] = [];
  for await (const record of client.list(path as `/${string}`)) found.push(record as Fields);
  return found;
}

const readOne = async ({ client }: Company, path: string): Promise<Fields> =>
  (await client.GET(path as `/${string}`)).data as Fields;

/** Values that differ between two runs: ids, numbers, times, and names of accounts and of callers. */
const volatile =
  /^(id|uniqueId|.*Id|ticketNumber|version|.*(At|By|Due|Date)|date|author|appKey|failingSince|url|health)$/;
/** Values that depend on the time between two steps of a run. */
const timed = /^(slaStatus|firstResponseTime)$/;

/**
 * Replaces each id by the name of its record, and removes the other volatile values. Replaces each timed value by a
 * constant text. Sorts the result.
 */
async function contentOf(company: Company): Promise<string[]> {
  const named: [string, (record: Fields) => unknown][] = [
    ['/roles', ({ name }) => name],
    ['/teams', ({ name }) => name],
    ['/lead-sources', ({ name }) => name],
    ['/ticket-types', ({ name }) => name],
    ['/lead-rotations', ({ name }) => name],
    ['/ticket-rotations', ({ name }) => name],
    ['/users', ({ email }) => String(email).replace(company.account.replace('acc_', ''), 'account')],
    ['/webhooks', ({ description }) => description],
    ['/leads', ({ email }) => email],
    ['/merchants', ({ agentAccountId }) => agentAccountId],
    ['/tickets', ({ tags }) => (tags as string[])[0]],
  ];
  const lists = await Promise.all(
    named.map(async ([path, nameOf]) =>
      (await readAll(company, path)).map((record) => {
        // The leads of a vendor's batch are saved in parallel, so the rotation can assign them in another order.
        const assigned: Fields = record.externalId === undefined ? {} : { assignedTo: 'anyone' };
        return { path, record: { ...record, ...assigned }, name: String(nameOf(record)) };
      }),
    ),
  );
  const records = lists.flat().filter(({ record }) => record.email !== company.email);
  const names = new Map(
    records.flatMap(({ record: { id, uniqueId }, name }) => [
      [String(id), name],
      [String(uniqueId), name],
    ]),
  );
  for (const { record, name } of records)
    if (record.applicationId !== undefined) names.set(String(record.applicationId), `application of ${name}`);
  const tag = company.account.replace('acc_', '');
  const stable = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => stable(one));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value)
          .map(([name, one]) => [name, stable(one, name)])
          .sort(),
      );
    if (volatile.test(key)) return names.get(String(value));
    if (timed.test(key)) return 'is set';
    return names.get(String(value)) ?? (typeof value === 'string' ? value.replace(tag, 'account') : value);
  };
  const children = await Promise.all(
    records.flatMap(({ path, record: { id, applicationId } }) =>
      path === '/leads' && applicationId !== undefined
        ? [readOne(company, `/applications/${applicationId}?includeDocuments=true`)]
        : path === '/merchants'
          ? [readOne(company, `/merchants/${id}`), readOne(company, `/merchants/${id}/mids`)]
          : path === '/tickets'
            ? [readOne(company, `/tickets/${id}/comments`)]
            : [],
    ),
  );
  return [...records.map(({ record }) => record), ...children]
    .map(({ auditLog: _, email, ...record }) => JSON.stringify(stable({ ...record })))
    .sort();
}

/** Returns the texts of all mails to an address. */
const mailsTo = (email: string): string =>
  readdirSync(join(folder, 'mail'))
    .map((name) => readFileSync(join(folder, 'mail', name), 'utf8'))
    .filter((mail) => mail.includes(email))
    .join('\n');

/** A demo month has the files of three processors, four agents on two levels, and a posted statement for each of them. */
async function expectResiduals(company: Company): Promise<void> {
  const files = await readAll(company, '/residual-files');
  expect(new Set(files.map(({ processor }) => processor)).size).toBe(3);
  expect(files.map(({ state, problemCount }) => [state, problemCount])).toEqual(files.map(() => ['read', 0]));
  const agreements = await readAll(company, '/residual-agreements');
  const idsOf = (some: Fields[]) => some.map((one) => (one.beneficiary as Fields).id);
  const above = agreements.flatMap(({ overrides = [] }) => overrides as Fields[]);
  expect([new Set(idsOf(agreements)).size, new Set(idsOf(above)).size]).toEqual([3, 1]);
  expect(await readAll(company, '/residual-runs')).toMatchObject([{ state: 'posted', beneficiaryCount: 4 }]);
  const statements = await readAll(company, '/residual-statements');
  expect(new Set(idsOf(statements))).toEqual(new Set(idsOf([...agreements, ...above])));
}

test('the same seed creates the same content, even after interruptions, and a repeated run changes nothing', async () => {
  const [straight, interrupted] = await Promise.all([newCompany(), newCompany()]);
  const create = (company: Company, options: object = {}) =>
    createDemoData({ ...company, local: true, seed: 7, size, ...options });
  await create(straight);

  // Interrupts the creation three times, each time later than before.
  for (const limit of [14, 20, 28]) {
    const stop = new AbortController();
    const report = ({ done }: { done: number }) => void (done >= limit && stop.abort(new Error('Stopped.')));
    await expect(create(interrupted, { report, signal: stop.signal })).rejects.toThrow('Stopped.');
  }
  await create(interrupted);
  // The urgent ticket misses both targets a minute after its creation, and the first deliveries may still be in progress.
  const isSettled = async (company: Company) =>
    JSON.stringify(await readAll(company, '/webhooks')).includes('"status":"failing"') &&
    (await readAll(company, '/tickets')).some(
      (ticket) => ticket.slaFirstResponseMet === false && ticket.slaResolutionMet === false,
    );
  for (const company of [straight, interrupted])
    await expect.poll(() => isSettled(company), { timeout: 240_000 }).toBe(true);
  const content = await contentOf(straight);
  expect(await contentOf(interrupted)).toEqual(content);

  // Selects the events of the administrator, because the SLA sweep adds events of the actor `system` at any
  // time.
  const changes = async () => {
    const events = await readAll(straight, '/events');
    return events.flatMap(({ id, kind, actor, subject }) =>
      (actor as Fields).user === straight.email ? [{ id, kind, subject }] : [],
    );
  };
  const before = await changes();
  expect(await create(straight)).toEqual({ created: {} });
  expect(await changes()).toEqual(before);
  expect(await contentOf(straight)).toEqual(content);

  for (const company of [straight, interrupted]) {
    const [agent] = (await readAll(company, '/users')).filter(({ email }) => String(email).includes('.7-0.'));
    expect(await readAll(company, `/users/${agent?.id}/impersonations`)).toEqual([
      expect.objectContaining({ write: false, createdBy: company.email, endedAt: expect.any(String) }),
    ]);
    await expect.poll(() => mailsTo(String(agent?.email))).toContain('The list of leads is empty');
    const { bodyCaptureUntil } = await readOne(company, `/accounts/${company.account}`);
    expect(Date.parse(String(bodyCaptureUntil))).toBeGreaterThan(Date.now());
    const { data } = await readOne(company, '/events?kind=note_created&pageSize=100');
    const captured = (data as Fields[]).filter(
      ({ hasRequestBody, hasResponseBody }) => hasRequestBody && hasResponseBody,
    );
    expect(captured).toHaveLength(1);
    const path = `/events/${captured[0]?.id}/request-body`;
    const shown = (await company.client.POST(path as `/${string}`, { body: { reason: 'Test' } }))
      .data as Fields;
    expect(JSON.parse(String(shown.body))).toEqual({ content: expect.stringContaining('captured') });
  }

  await expectResiduals(straight);

  const { smtpPort } = readAddresses(join(folder, contents.addresses)) ?? expect.fail();
  await create(straight, { smtpPort });
  const received = async () =>
    (await readAll(straight, '/mails')).filter(({ direction }) => direction === 'incoming');
  await expect.poll(received).toMatchObject([{ state: 'received', recordType: 'ticket' }]);
  await create(straight, { smtpPort });
  expect(await received()).toHaveLength(1);

  const applications = await readAll(straight, '/applications');
  const statuses = applications.map(({ status, admin }) => [status, admin]);
  expect(applications.length, JSON.stringify(statuses)).toBe(applicationOutcomes.length + 1);
  const sent = applications.filter(({ externalId }) => externalId !== undefined);
  expect(sent.map(({ externalId }) => externalId)).toEqual(['A-2001']);
  const tickets = await readAll(straight, '/tickets');
  const [urgent] = tickets.filter(({ priority }) => priority === 'urgent');
  expect(Date.parse(String(urgent?.slaResolutionDue)) - Date.parse(String(urgent?.createdAt))).toBe(60_000);
  expect(await readOne(straight, '/integrations/partner/connection')).toMatchObject({
    url: 'http://127.0.0.1:4100',
    active: true,
    health: { status: 'idle' },
  });
  const mapped = await readOne(straight, '/integrations/partner/ticket-type-mappings');
  expect(mapped.totalCount).toBe(2);
  const [failing] = (await readAll(straight, '/webhooks')).filter(({ active }) => active);
  await expect
    .poll(async () => (await readOne(straight, `/webhooks/${failing?.id}`)).health)
    .toMatchObject({ status: 'failing' });
}, 600_000);

test('the full plan of a company has the documented numbers of records, and another seed gives another company', () => {
  const { leads, merchants, tickets } = demoPlan(1);
  const applications = leads.filter(({ outcome }) => typeof outcome === 'object');
  const breached = tickets.filter((ticket) => ticket.breached);
  const counts = [leads, applications, merchants, tickets, breached].map(({ length }) => length);
  expect(counts).toEqual([200, 60, 40, 300, 24]);
  expect(demoPlan(1)).toEqual(demoPlan(1));
  expect(demoPlan(2).leads).not.toEqual(leads);
});
