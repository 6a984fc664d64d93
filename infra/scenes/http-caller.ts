import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenAPIV3_1 } from 'openapi-types';
import { signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import type { FirstCredentials } from '../administration/create-account.ts';
import { applicationForm, fictional } from '../administration/fictional-data.ts';
import { type Method, requestSender } from '../administration/send-requests.ts';
import { type Client, type ClientOptions, createClient, ResponseError } from '../client/client.ts';
import { responseErrorOf } from '../client/response-error.ts';
import { exampleOf } from '../openapi/example.ts';
import type { Caller, CallerCredentials, RequestTerms, Route, SceneInput } from './caller.ts';
import { createAt } from './perform.ts';
import { recordPaths, records } from './records.ts';
import { requests } from './requests.ts';

/** A caller of a service over HTTP. It removes the records that must not remain, and reports the others. */
export interface HttpCaller extends Caller {
  baseUrl: string;
  /** Returns a client with other credentials, or without credentials. */
  connect(options: CallerCredentials & { retries?: number }): Client;
  as(credentials: CallerCredentials): Promise<HttpCaller>;
  another(): Promise<HttpCaller>;
  /** Registers a request that removes a record. At the end, these requests are sent in reverse order. */
  atEnd(cleanUp: () => Promise<unknown>): void;
  /** Reports a record that no response with status 201 contains. */
  remains(list: string, id: number | string): void;
}

/** A caller with the effects of its requests. */
export interface Action {
  caller: HttpCaller;
  /** The caller, and the administrators of the accounts that it created. Their logs contain the caused events. */
  accounts: readonly Caller[];
  /** The paths of the records that exist after the action. */
  records: ReadonlySet<string>;
  /** The ids of the records in responses, and of the accounts. The subject of a caused event is one of them. */
  subjects: ReadonlySet<string>;
  cleanUp(): Promise<void>;
}

interface Connection {
  client: Client;
  baseUrl: string;
  account: string;
}

/** The action is not possible with this service. The message contains the reason. */
export class CannotCause extends Error {
  override readonly name = 'CannotCause';
}

/** The maximum number of parallel requests. */
export const parallelCalls = 8;

const description = 'npm run ops -- events cause';

/** Every application has sensitive values of its own, because equal values are collisions. */
function form({ unique }: Caller): object {
  const of = fictional(String(unique()));
  return applicationForm(of, of.company(), of.person());
}

const scenes: Caller['scenes'] = {
  records,
  requests: {
    ...requests,
    'POST /applications': (caller) => ({ fields: form(caller) }),
    'POST /extapi/applications': (caller) => ({
      fields: { externalId: `A-${caller.unique()}`, ...form(caller) },
    }),
  },
};

/** Fields of new records that must not affect the records of other callers. */
const inactive: Readonly<Record<string, object>> = {
  'POST /teams': { active: false },
  'POST /lead-sources': { active: false },
  'POST /lead-rotations': { status: 'inactive' },
  'POST /ticket-rotations': { status: 'inactive' },
  'POST /webhooks': { active: false, description },
  'POST /apikeys': { description },
};

/** The lists with a limit for each account. New records in them are deleted at the end. */
const limited = new Set([
  '/webhooks',
  '/roles',
  '/apikeys',
  '/views',
  '/domains',
  '/mail-domains',
  '/underwriting-rules',
  '/integrations/partner/ticket-type-mappings',
]);

const unique = (): number => randomInt(1e9, 2 ** 31);

/** Names a new record of the account after this command. */
function marked(route: Route, body: unknown): object | undefined {
  if (body === undefined) return undefined;
  const isNew = /^POST [^{]+$/.test(route) && typeof Object(body).name === 'string';
  return Array.isArray(body)
    ? body
    : { ...Object(body), ...(isNew && { name: `Caller ${unique()}` }), ...inactive[route] };
}

const documents = new Map<string, Promise<OpenAPIV3_1.Document>>();

/** Returns the OpenAPI document of a service. */
function documentOf(baseUrl: string): Promise<OpenAPIV3_1.Document> {
  const known = documents.get(baseUrl);
  if (known) return known;
  const url = `${baseUrl.replace(/\/$/, '')}/openapi.json`;
  const document = fetch(url).then(async (response) => {
    if (!response.ok) throw await responseErrorOf(response);
    return (await response.json()) as OpenAPIV3_1.Document;
  });
  documents.set(baseUrl, document);
  return document;
}

type Media = { schema?: { $ref?: string } };

function operationIn({ paths, components }: OpenAPIV3_1.Document, route: Route): RequestTerms | undefined {
  const [method = '', path = ''] = route.split(' ');
  const operation = paths?.[path]?.[method.toLowerCase() as 'get'];
  if (!operation) return undefined;
  const { content } = (operation.requestBody ?? {}) as { content?: Record<string, Media> };
  const schema = content?.['application/json']?.schema;
  const creates = '201' in (operation.responses ?? {});
  if (schema?.$ref === undefined)
    return { creates, ...(schema && { example: exampleOf(schema, 'request') }) };
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  return { creates, example: components?.schemas?.[name]?.examples?.[0] };
}

const pathTo = (path: string, params: object, query: object): string => {
  const named = params as Record<string, unknown>;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(named[name])));
  const search = new URLSearchParams(query as Record<string, string>);
  return search.size === 0 ? filled : `${filled}?${search}`;
};

/** Returns the caller of one action, which records the paths of the new records. */
export function startAction(
  { client, baseUrl, account }: Connection,
  createAccount: (() => Promise<FirstCredentials>) | undefined,
): Action {
  const created = new Set<string>();
  const subjects = new Set([account]);
  const accounts: Caller[] = [];
  const cleanUps: (() => Promise<unknown>)[] = [];
  const atEnd = (cleanUp: () => Promise<unknown>) => void cleanUps.unshift(cleanUp);

  function callerOf(as: Client, own: string): HttpCaller {
    const onResponse = (method: Method, path: string, body: unknown, { status }: Response) => {
      const { id, email } = Object(body) as Record<string, unknown>;
      if (id !== undefined) subjects.add(String(id));
      const list = decodeURIComponent(path.split('?')[0] ?? '');
      // `POST …/accounts` adds a membership, which has no path of its own. Neither have an impersonation and a document of
      // the external API.
      const hasPath = !/\/(accounts|impersonation)$/.test(list) && !list.startsWith('/extapi/');
      const record = `${list}/${list === '/users' ? email : id}`;
      if (method === 'POST' && status === 201 && hasPath) created.add(record);
      if (method === 'POST' && status === 201 && limited.has(list)) atEnd(() => sender('DELETE', record));
      // A PUT creates a bank account or a payout account.
      if (method === 'PUT' && /^\/(billing\/bank|payout)-accounts\//.test(list))
        atEnd(() => sender('DELETE', list));
      if (method === 'DELETE') created.delete(list);
    };
    const sender = requestSender(as, { parallel: parallelCalls, onResponse });
    const connect: HttpCaller['connect'] = (options) =>
      createClient({ account: own, ...options, baseUrl } as ClientOptions);
    let vendor: Promise<HttpCaller> | undefined;
    const caller: HttpCaller = {
      account: own,
      baseUrl,
      scenes,
      connect,
      atEnd,
      unique,
      unreachable: createAccount ? 'http://127.0.0.1:9/' : 'https://cause.invalid/',
      remains: (list, id) => {
        created.add(`${list}/${id}`);
        subjects.add(String(id));
      },
      operation: async (route) => operationIn(await documentOf(baseUrl), route),
      async send<T>(route: Route, { params = {}, query = {}, body, signWith }: SceneInput = {}) {
        const [method, template = ''] = route.split(' ') as [Method, string];
        // A vendor finds only its own records in the external API.
        if (template.startsWith('/extapi/') && as === client) {
          vendor ??= newKey(caller, ['useExternalApi']).then(caller.as);
          return (await vendor).send<T>(route, { params, query, body });
        }
        const path = pathTo(template, params, query);
        if (signWith !== undefined) return (await sendSigned(baseUrl + path, signWith, body)) as T;
        return sender<T>(method, path, marked(route, body));
      },
      as: async (credentials) => callerOf(connect(credentials), own),
      async another() {
        if (!createAccount)
          throw new CannotCause(
            'This event needs another account, which only an operator can create. Omit --base-url to use the local service, or run npm run ops -- accounts create.',
          );
        const { accountId, adminEmail: email, adminPassword: password } = await createAccount();
        created.add(`/accounts/${accountId}`);
        subjects.add(accountId);
        const other = callerOf(createClient({ account: accountId, email, password, baseUrl }), accountId);
        accounts.push(other);
        return other;
      },
      afterJobs: () => sleep(200),
      somebody: async () => String((await createAt(caller, recordPaths.user)).params.email),
    };
    return caller;
  }

  const caller = callerOf(client, account);
  accounts.push(caller);
  return {
    caller,
    accounts,
    records: created,
    subjects,
    async cleanUp() {
      for (const clean of cleanUps) await clean().catch(ignoreMissing);
    },
  };
}

/** Ignores 404, because the action itself may have deleted the record. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ResponseError && error.status === 404)) throw error;
}

/** Creates an API key with these permissions, which is deleted at the end. */
export async function newKey(
  caller: HttpCaller,
  flatPermissionsList: string[],
): Promise<{ apiKey: string; apiSecret: string }> {
  const { apiKey, apiSecret } = await caller.send<{ apiKey: string; apiSecret: string }>('POST /apikeys', {
    body: { flatPermissionsList },
  });
  return { apiKey, apiSecret };
}

async function sendSigned(url: string, secret: string, content: unknown): Promise<unknown> {
  const body = Buffer.from(JSON.stringify(content));
  const signature = signedHeaders(body, [secret], `evt_${randomUUID()}`, new Date());
  const headers = { 'content-type': 'application/json', ...signature };
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw await responseErrorOf(response);
  return response.json();
}
