import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { examples } from '../../../shared/resources/derived.ts';
import type { ExampleName } from '../../../shared/resources/registry.ts';
import { applicationForm, fictional } from '../../administration/fictional-data.ts';
import type { SendRequest, WithId } from '../../administration/send-requests.ts';
import { uploadFile } from '../../administration/upload-file.ts';
import type { Caller } from './caller.ts';

/** Returns a random text for the name of a new record, because some names must be unique. */
const unique = (): string => randomBytes(5).toString('hex');
const description = 'npm run ops -- events trigger';

/** A record that a trigger created. */
interface CreatedRecord {
  id: string;
  path: string;
}

/** Creates a record by a POST to the path of its list. */
async function create<T extends WithId>(
  { send }: Pick<Caller, 'send'>,
  path: string,
  body: object,
): Promise<T & CreatedRecord> {
  const record = await send<T>('POST', path, body);
  const [list] = path.split('?');
  return { ...record, id: String(record.id), path: `${list}/${record.id}` };
}

export function lead(caller: Caller): Promise<CreatedRecord> {
  const of = fictional(unique());
  const company = of.company().name;
  return create(caller, '/leads?skipTeamAndSourceRequirement=true', { ...of.person(), company });
}

export function application(caller: Caller): Promise<CreatedRecord> {
  const of = fictional(unique());
  return create(caller, '/applications', applicationForm(of, of.company(), of.person()));
}

/** An application with all required fields and documents. */
export async function completeApplication(caller: Caller): Promise<CreatedRecord> {
  const made = await application(caller);
  const { path } = made;
  type Readiness = { next: { documentKey?: string }[] };
  const { next } = await caller.send<Readiness>('GET', `${path}/readiness`);
  await Promise.all(
    next.map(({ documentKey }) => documentKey && uploadFile(below(caller, path), { documentKey })),
  );
  return made;
}

export async function submittedApplication(caller: Caller): Promise<CreatedRecord> {
  const made = await completeApplication(caller);
  await caller.send('POST', `${made.path}/submit`);
  return made;
}

/** An underwriting rule, which is archived at the end. */
export const underwritingRule = (caller: Caller): Promise<CreatedRecord> =>
  temporary(caller, '/underwriting-rules', {
    name: `trigger-${unique()}`,
    description,
    when: { field: 'risk.score', between: { to: 20 } },
    action: { kind: 'flag', reason: 'The risk is low.' },
  });

export const merchant = (caller: Caller): Promise<CreatedRecord> =>
  create(caller, '/merchants', { merchantName: fictional(unique()).company().name });

/** A draft of an invoice to a new merchant. */
export async function draftInvoice(caller: Caller): Promise<CreatedRecord> {
  const lines = [{ description: 'Card terminal', quantity: 2, unitAmount: 12_500, taxRate: 825 }];
  const { id: customerId } = await merchant(caller);
  return create(caller, '/invoices', { customerType: 'merchant', customerId, currency: 'USD', lines });
}

/** An open invoice, on which 10 dollars were paid. */
export async function openedInvoice(caller: Caller): Promise<CreatedRecord> {
  const made = await draftInvoice(caller);
  await caller.send('POST', `${made.path}/open`);
  const payment = { amount: 1_000, method: 'bank_transfer', reference: unique() };
  await caller.send('POST', `${made.path}/payments`, payment);
  return made;
}

/** An uploaded document of a merchant. */
export async function document(caller: Caller): Promise<CreatedRecord> {
  const { path: parent } = await merchant(caller);
  const id = await uploadFile(below(caller, parent), { type: 'other' });
  return { id, path: `${parent}/documents/${id}` };
}

export async function note(caller: Caller): Promise<CreatedRecord> {
  const { path } = await merchant(caller);
  return create(caller, `${path}/notes`, { content: 'Asked for a second terminal.' });
}

export const newMid = (): string => `trigger-${unique()}`;

export async function mid(caller: Caller, fields: { status?: 'suspended' } = {}): Promise<CreatedRecord> {
  const { path } = await merchant(caller);
  return create(caller, `${path}/mids`, { mid: newMid(), ...fields });
}

const newEmail = (): string => `trigger-${unique()}@example.com`;

export async function user({ send }: Caller): Promise<CreatedRecord & { email: string }> {
  const email = newEmail();
  const { firstName, lastName } = fictional(email).person();
  const { id } = await send('POST', '/users', { email, name: `${firstName} ${lastName}` });
  return { id: String(id), email, path: `/users/${email}` };
}

/** A child account with a type of its own. It remains, because its events are in its own log. */
export async function childAccount(caller: Caller): Promise<CreatedRecord> {
  const name = `Trigger ${unique()}`;
  const { id } = await example(caller, 'account_type', { permissions: ['readLeads'] });
  return create(caller, '/accounts', { name, accountTypeId: Number(id), adminEmail: newEmail() });
}

/** A user with a password. Only an administrator may set the password of another user. */
export async function userWithPassword(
  caller: Caller,
): Promise<{ id: string; email: string; password: string }> {
  const { id, email, path } = await user(caller);
  const password = randomBytes(12).toString('base64url');
  await caller.send('PUT', `${path}/password`, { password });
  return { id, email, password };
}

/** A role. It is deleted at the end, because an account has at most 100 roles. */
export async function role(caller: Caller): Promise<CreatedRecord & { name: string }> {
  const name = `Trigger ${unique()}`;
  return { ...(await temporary(caller, '/roles', { name, flatPermissionsList: ['readLeads'] })), name };
}

/** An API key. It is deleted at the end, because an account has at most 100 keys. */
export const apiKey = (caller: Caller, permissions?: string[]): Promise<CreatedRecord & Key> =>
  temporary<WithId & Key>(caller, '/apikeys', {
    description,
    ...(permissions && { flatPermissionsList: permissions }),
  });
interface Key {
  apiKey: string;
  apiSecret: string;
}

/** A key of the external API, and a function that sends its requests. The key is deleted at the end. */
async function vendor(caller: Caller): Promise<SendRequest> {
  const { apiKey: key, apiSecret } = await apiKey(caller, ['useExternalApi']);
  return caller.as({ apiKey: key, apiSecret });
}

/** The longest wait until a list contains a new record, in milliseconds. */
const longestWait = 10_000;

/**
 * Finds the record with an external id in a list, and records its path. A response of the external API does not contain the
 * record's own id.
 */
async function withExternalId(
  { send, remains }: Caller,
  list: '/leads' | '/applications',
  externalId: string,
): Promise<{ id: string }> {
  type Listed = { data: (WithId & { externalId?: string })[] };
  for (const deadline = Date.now() + longestWait; ; await sleep(200)) {
    const { data } = await send<Listed>('GET', `${list}?pageSize=100`);
    const found = data.find((record) => record.externalId === externalId);
    if (found) {
      remains(`${list}/${found.id}`);
      return { id: String(found.id) };
    }
    if (Date.now() > deadline) throw new Error(`GET ${list} has no record with the id ${externalId}.`);
  }
}

const externalLeadOf = (externalId: string): object => ({ externalId, ...fictional(externalId).person() });

export async function externalLead(caller: Caller): Promise<{ id: string }> {
  const send = await vendor(caller);
  const externalId = unique();
  await send('POST', '/extapi/leads', externalLeadOf(externalId));
  return withExternalId(caller, '/leads', externalId);
}

/** Sends a batch of leads. Returns the id of the account, which is the subject of the event. */
export async function externalLeads(caller: Caller): Promise<{ id: string }> {
  const send = await vendor(caller);
  const ids = [unique(), unique()];
  await send('POST', '/extapi/leads/batch', { leads: ids.map(externalLeadOf) });
  await Promise.all(ids.map((externalId) => withExternalId(caller, '/leads', externalId)));
  return { id: caller.account };
}

/** An application of the external API. With `complete`, its required documents are uploaded. */
export async function externalApplication(
  caller: Caller,
  complete = false,
): Promise<CreatedRecord & { send: SendRequest }> {
  const send = await vendor(caller);
  const externalId = unique();
  const path = `/extapi/applications/${externalId}`;
  const of = fictional(externalId);
  type Sent = { missingDocuments: { documentKey: string }[] };
  const { missingDocuments } = await send<Sent>('POST', '/extapi/applications', {
    externalId,
    ...applicationForm(of, of.company(), of.person()),
  });
  if (complete)
    await Promise.all(
      missingDocuments.map(({ documentKey }) => uploadFile(below({ send }, path), { documentKey })),
    );
  return { ...(await withExternalId(caller, '/applications', externalId)), path, send };
}

/** An inactive webhook. It is deleted at the end, because an account has at most 20 webhooks. */
export const webhook = (caller: Caller): Promise<CreatedRecord> =>
  temporary(caller, '/webhooks', {
    url: caller.local ? 'http://127.0.0.1:9/' : 'https://trigger.invalid/',
    events: ['webhook_test'],
    active: false,
    description,
  });

export const vanityDomain = (caller: Caller): Promise<CreatedRecord> =>
  temporary(caller, '/domains', { domain: `pay-${randomBytes(5).toString('hex')}.example.com` });

/** Creates a record that is deleted at the end. */
export async function temporary<T extends WithId>(
  caller: Caller,
  path: string,
  body: object,
): Promise<T & CreatedRecord> {
  const made = await create<T>(caller, path, body);
  caller.atEnd(() => caller.send('DELETE', made.path));
  return made;
}

/** A record of a resource whose declaration contains an example. */
export function example(caller: Caller, name: ExampleName, fields: object = {}): Promise<CreatedRecord> {
  const { path, create: body } = examples[name];
  return create(caller, path, { ...body, ...fields, name: `Trigger ${unique()}` });
}

/**
 * A rotation of leads or tickets. It is inactive, so that it does not assign the records of other callers.
 */
export async function rotation(
  caller: Caller,
  path: '/lead-rotations' | '/ticket-rotations',
): Promise<CreatedRecord> {
  const { id: userId } = await user(caller);
  return create(caller, path, {
    name: `Trigger ${unique()}`,
    status: 'inactive',
    userRotationArray: [{ userId, weight: 2 }],
    currentPosition: 1,
  });
}

export const ticketTypeSettings = (): object => ({
  name: `Trigger ${unique()}`,
  description: 'Created by npm run ops -- events trigger',
  category: 'technical',
});

export const ticketType = (caller: Caller): Promise<CreatedRecord> =>
  create(caller, '/ticket-types', ticketTypeSettings());

export function ticket(caller: Caller): Promise<CreatedRecord> {
  const { firstName, lastName, email } = fictional(unique()).person();
  return create(caller, '/tickets', {
    subject: 'No receipt',
    description: 'The terminal prints nothing.',
    category: 'technical',
    requesterType: 'external',
    requesterId: email,
    requesterName: `${firstName} ${lastName}`,
    requesterEmail: email,
  });
}

/** Sends requests to paths below the path of a record. */
const below =
  ({ send }: Pick<Caller, 'send'>, parent: string) =>
  <T>(method: string, path: string, body?: object) =>
    send<T>(method === 'GET' ? 'GET' : 'POST', `${parent}${path}`, body);
