import { join } from 'node:path';
import { expect } from 'vitest';
import { type LocalCredentials, readCredentials } from '../../infra/administration/credentials.ts';
import { type AtEnd, temporaryFolder } from '../harness/temporary-folder.ts';
import { startRunnerProcess } from './runner-process.ts';

/** A local service in its own process, with the token of its console and a session of its administrator. */
export interface ConsoleService {
  folder: string;
  credentials: LocalCredentials;
  token: string;
  /** The headers of the administrator's requests. */
  session(): Record<string, string>;
  /** Starts a new session, for example after a change of the password. */
  signIn(password: string): Promise<void>;
  /** Sends a request to the API as the administrator. Fails the test if the response is an error. */
  api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Calls an endpoint of the console. */
  local(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Returns the body of a successful response of the console. */
  read<T>(path: string): Promise<T>;
  /** Creates a lead with the first name Ada and the fields in `more`. */
  createLead(lastName: string, more?: object): Promise<Record<string, unknown>>;
}

/** `environment` contains further environment variables of the service. */
export async function startConsoleService(
  atEnd: AtEnd,
  environment: Record<string, string> = {},
): Promise<ConsoleService> {
  const folder = temporaryFolder(atEnd);
  const runner = await startRunnerProcess({ DATA_DIR: folder, ...environment }, { atEnd });
  const credentials =
    readCredentials(join(folder, 'credentials.json')) ?? expect.fail('The service wrote no credentials');
  const token =
    /^ {2}Console +\S+#(\S+)$/m.exec(runner.output())?.[1] ?? expect.fail('The service printed no address');
  const { baseUrl, adminEmail: email, adminPassword, accountId } = credentials;
  const common = { 'content-type': 'application/json', 'x-account-id': accountId };
  let session: Record<string, string> = common;

  const service: ConsoleService = {
    folder,
    credentials,
    token,
    session: () => session,
    async signIn(password) {
      session = common;
      const login = await service.api('POST', '/auth/login', { email, password });
      session = { ...common, authorization: `Bearer ${login.token}` };
    },
    async api(method, path, body) {
      const response = await fetch(baseUrl + path, { method, headers: session, body: JSON.stringify(body) });
      expect([path, response.ok]).toEqual([path, true]);
      return (await response.json()) as Record<string, unknown>;
    },
    async local(method, path, body) {
      const response = await fetch(`${baseUrl}/_local/api/${path}`, {
        method,
        headers: {
          'x-console-token': token,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    },
    async read<T>(path: string) {
      const { status, body } = await service.local('GET', path);
      expect([path, status]).toEqual([path, 200]);
      return body as T;
    },
    createLead: (lastName, more = {}) =>
      service.api('POST', '/leads?skipTeamAndSourceRequirement=true', {
        firstName: 'Ada',
        lastName,
        ...more,
      }),
  };
  await service.signIn(adminPassword);
  return service;
}
