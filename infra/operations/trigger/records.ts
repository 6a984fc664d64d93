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

export const lead = async ({ send }: Caller): Promise<string> => {
  const of = fictional(unique());
  const company = of.company().name;
  const path = '/leads?skipTeamAndSourceRequirement=true';
  return idOf(await send('POST', path, { ...of.person(), company }));
};

export const application = async ({ send }: Caller): Promise<string> => {
  const of = fictional(unique());
  return idOf(await send('POST', '/applications', applicationForm(of, of.company(), of.person())));
};

/** An application with all required fields and documents. */
export async function completeApplication(caller: Caller): Promise<string> {
  const id = await application(caller);
  const path = `/applications/${id}`;
  type Readiness = { next: { documentKey?: string }[] };
  const { next } = await caller.send<Readiness>('GET', `${path}/readiness`);
  await Promise.all(
    next.map(({ documentKey }) => documentKey && uploadFile(below(caller, path), { documentKey })),
  );
  return id;
}

export async function submittedApplication(caller: Caller): Promise<string> {
  const id = await completeApplication(caller);
  await caller.send('POST', `/applications/${id}/submit`);
  return id;
}

/** An underwriting rule, which is archived at the end. */
export async function underwritingRule(caller: Caller): Promise<string> {
  const id = idOf(
    await caller.send('POST', '/underwriting-rules', {
      name: `trigger-${unique()}`,
      description,
      when: { field: 'risk.score', between: { to: 20 } },
      action: { kind: 'flag', reason: 'The risk is low.' },
    }),
  );
  caller.atEnd(() => caller.send('DELETE', `/underwriting-rules/${id}`));
  return id;
}

export const merchant = async ({ send }: Caller): Promise<string> =>
  idOf(await send('POST', '/merchants', { merchantName: fictional(unique()).company().name }));

/** A draft of an invoice to a new merchant. */
export async function draftInvoice(caller: Caller): Promise<string> {
  const lines = [{ description: 'Card terminal', quantity: 2, unitAmount: 12_500, taxRate: 825 }];
  const customerId = await merchant(caller);
  return idOf(
    await caller.send('POST', '/invoices', { customerType: 'merchant', customerId, currency: 'USD', lines }),
  );
}

/** An open invoice, on which 10 dollars were paid. */
export async function openedInvoice(caller: Caller): Promise<string> {
  const id = await draftInvoice(caller);
  await caller.send('POST', `/invoices/${id}/open`);
  const payment = { amount: 1_000, method: 'bank_transfer', reference: unique() };
  await caller.send('POST', `/invoices/${id}/payments`, payment);
  return id;
}

/** An uploaded document of a merchant. */
export async function document(caller: Caller): Promise<{ id: string; path: string }> {
  const parent = `/merchants/${await merchant(caller)}`;
  const id = await uploadFile(below(caller, parent), { type: 'other' });
  return { id, path: `${parent}/documents/${id}` };
}

export async function note(caller: Caller): Promise<{ id: string; path: string }> {
  const notes = `/merchants/${await merchant(caller)}/notes`;
  const id = idOf(await caller.send('POST', notes, { content: 'Asked for a second terminal.' }));
  return { id, path: `${notes}/${id}` };
}

export const newMid = (): string => `trigger-${unique()}`;

export async function mid(
  caller: Caller,
  fields: { status?: 'suspended' } = {},
): Promise<{ id: string; path: string }> {
  const mids = `/merchants/${await merchant(caller)}/mids`;
  const id = idOf(await caller.send('POST', mids, { mid: newMid(), ...fields }));
  return { id, path: `${mids}/${id}` };
}

const newEmail = (): string => `trigger-${unique()}@example.com`;

export async function user({ send }: Caller): Promise<{ id: string; email: string; path: string }> {
  const email = newEmail();
  const { firstName, lastName } = fictional(email).person();
  const { id } = await send('POST', '/users', { email, name: `${firstName} ${lastName}` });
  return { id: String(id), email, path: `/users/${email}` };
}

/** A child account with a type of its own. It remains, because its events are in its own log. */
export async function childAccount(caller: Caller): Promise<string> {
  const name = `Trigger ${unique()}`;
  const accountTypeId = Number(await example(caller, 'account_type', { permissions: ['readLeads'] }));
  const child = { name, accountTypeId, adminEmail: newEmail() };
  return idOf(await caller.send('POST', '/accounts', child));
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
export async function role(caller: Caller): Promise<{ id: string; path: string; name: string }> {
  const name = `Trigger ${unique()}`;
  return { ...(await temporary(caller, '/roles', { name, flatPermissionsList: ['readLeads'] })), name };
}

/** An API key. It is deleted at the end, because an account has at most 100 keys. */
export const apiKey = (caller: Caller, permissions?: string[]): Promise<{ id: string; path: string } & Key> =>
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
      return { id: idOf(found) };
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
export async function externalLeads(caller: Caller): Promise<string> {
  const send = await vendor(caller);
  const ids = [unique(), unique()];
  await send('POST', '/extapi/leads/batch', { leads: ids.map(externalLeadOf) });
  await Promise.all(ids.map((externalId) => withExternalId(caller, '/leads', externalId)));
  return caller.account;
}

/** An application of the external API. With `complete`, its required documents are uploaded. */
export async function externalApplication(
  caller: Caller,
  complete = false,
): Promise<{ id: string; path: string; send: SendRequest }> {
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
export const webhook = (caller: Caller): Promise<{ id: string; path: string }> =>
  temporary(caller, '/webhooks', {
    url: caller.local ? 'http://127.0.0.1:9/' : 'https://trigger.invalid/',
    events: ['webhook_test'],
    active: false,
    description,
  });

export const vanityDomain = (caller: Caller): Promise<{ id: string; path: string }> =>
  temporary(caller, '/domains', { domain: `pay-${randomBytes(5).toString('hex')}.example.com` });

/** Creates a record that is deleted at the end. */
async function temporary<T extends WithId>(
  { send, atEnd }: Caller,
  path: string,
  body: object,
): Promise<T & { id: string; path: string }> {
  const record = await send<T>('POST', path, body);
  const own = `${path}/${record.id}`;
  atEnd(() => send('DELETE', own));
  return { ...record, id: String(record.id), path: own };
}

/** A record of a resource whose declaration contains an example. */
export const example = async ({ send }: Caller, name: ExampleName, fields: object = {}): Promise<string> => {
  const { path, create } = examples[name];
  return idOf(await send('POST', path, { ...create, ...fields, name: `Trigger ${unique()}` }));
};

/**
 * A rotation of leads or tickets. It is inactive, so that it does not assign the records of other callers.
 */
export async function rotation(
  caller: Caller,
  path: '/lead-rotations' | '/ticket-rotations',
): Promise<{ id: string; path: string }> {
  const { id: userId } = await user(caller);
  const body = {
    name: `Trigger ${unique()}`,
    status: 'inactive',
    userRotationArray: [{ userId, weight: 2 }],
    currentPosition: 1,
  };
  const id = idOf(await caller.send('POST', path, body));
  return { id, path: `${path}/${id}` };
}

export const ticketTypeSettings = (): object => ({
  name: `Trigger ${unique()}`,
  description: 'Created by npm run ops -- events trigger',
  category: 'technical',
});

export const ticketType = async ({ send }: Caller): Promise<string> =>
  idOf(await send('POST', '/ticket-types', ticketTypeSettings()));

export async function ticket({ send }: Caller): Promise<{ id: string; path: string }> {
  const { firstName, lastName, email } = fictional(unique()).person();
  const id = idOf(
    await send('POST', '/tickets', {
      subject: 'No receipt',
      description: 'The terminal prints nothing.',
      category: 'technical',
      requesterType: 'external',
      requesterId: email,
      requesterName: `${firstName} ${lastName}`,
      requesterEmail: email,
    }),
  );
  return { id, path: `/tickets/${id}` };
}

const idOf = ({ id }: WithId): string => String(id);

/** Sends requests to paths below the path of a record. */
const below =
  ({ send }: Pick<Caller, 'send'>, parent: string) =>
  <T>(method: string, path: string, body?: object) =>
    send<T>(method === 'GET' ? 'GET' : 'POST', `${parent}${path}`, body);
