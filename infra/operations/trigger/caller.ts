import type { FirstCredentials } from '../../administration/create-account.ts';
import { type Method, requestSender, type SendRequest } from '../../administration/send-requests.ts';
import { type Client, type ClientOptions, createClient, ResponseError } from '../../client/client.ts';
import type { Connection } from '../sign-in.ts';

type Credentials = { email: string; password: string } | { apiKey: string; apiSecret: string } | object;

/** The caller of the actions. */
export interface Caller {
  account: string;
  /** The address of the service. */
  baseUrl: string;
  send: SendRequest;
  /** Returns a client with other credentials, or without credentials. */
  connect(options: Credentials & { retries?: number }): Client;
  /** Returns a function that sends requests with other credentials, or without credentials. */
  as(credentials: Credentials): SendRequest;
  /** Registers a request that removes a record. At the end, these requests are sent in reverse order. */
  atEnd(cleanUp: () => Promise<unknown>): void;
  /** Records the path of a new record that no response with status 201 contains. */
  remains(path: string): void;
  /** Creates another account. Undefined if the service is not on this machine. */
  createAccount?: () => Promise<FirstCredentials>;
  /** True if the service is on this machine, where webhooks may have a loopback address. */
  local: boolean;
}

/** The subject of the expected event. */
export interface TriggeredSubject {
  id: string;
  /** Sends requests to the account with the event. Default: the caller's own account. */
  log?: SendRequest;
}

export interface Action {
  caller: Caller;
  /** The paths of the records that exist after the action. */
  records: ReadonlySet<string>;
  cleanUp(): Promise<void>;
}

/** The maximum number of parallel requests of an action. */
export const parallelCalls = 8;

/** Returns the caller of one action, which records the paths of the new records. */
export function startAction(
  { client, baseUrl, account }: Connection,
  createAccount: Caller['createAccount'],
): Action {
  const records = new Set<string>();
  const cleanUps: (() => Promise<unknown>)[] = [];
  const onResponse = (method: Method, path: string, body: unknown, { status }: Response) => {
    const [record = ''] = path.split('?');
    // `POST …/accounts` adds a membership, which has no path of its own. Neither have an impersonation and a document of
    // the external API.
    const hasPath = !/\/(accounts|impersonation)$/.test(record) && !record.startsWith('/extapi/');
    if (method === 'POST' && status === 201 && hasPath) records.add(`${record}/${nameIn(record, body)}`);
    if (method === 'DELETE') records.delete(record);
  };
  const connect: Caller['connect'] = (options) =>
    createClient({ account, ...options, baseUrl } as ClientOptions);
  return {
    records,
    caller: {
      account,
      baseUrl,
      send: requestSender(client, { parallel: parallelCalls, onResponse }),
      connect,
      as: (credentials) => requestSender(connect(credentials), { parallel: parallelCalls, onResponse }),
      atEnd: (cleanUp) => void cleanUps.unshift(cleanUp),
      remains: (path) => void records.add(path),
      createAccount:
        createAccount &&
        (async () => {
          const made = await createAccount();
          records.add(`/accounts/${made.accountId}`);
          return made;
        }),
      local: createAccount !== undefined,
    },
    async cleanUp() {
      for (const clean of cleanUps) await clean().catch(ignoreMissing);
    },
  };
}

/** Ignores 404, because the action itself may have deleted the record. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ResponseError && error.status === 404)) throw error;
}

/** The last part of a new record's path: the email for a user, or the id for another record. */
function nameIn(path: string, body: unknown): string {
  const { email, id } = Object(body) as Record<string, unknown>;
  return String(path === '/users' ? email : id);
}
