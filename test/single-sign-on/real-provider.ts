import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import logOutSso from '../../functions/auth/log-out-sso.ts';
import type { Tenant } from '../harness/tenant.ts';
import { anybody } from './world.ts';

/** Serves HTTP on a loopback port until the test file ends. Returns the URL. */
export async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  afterAll(() => server.closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Receives the logout tokens of a provider, as the gateway does, and sends them to the endpoint. A test sets `connectionId`
 * as soon as the connection exists.
 */
export async function receiveLogouts({ accountId }: Pick<Tenant, 'accountId'>) {
  const responses: Promise<{ status: number }>[] = [];
  const receiver = { url: '', connectionId: 0, responses };
  receiver.url = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = anybody.call(logOutSso, {
      params: { accountId, connectionId: receiver.connectionId },
      rawBody: Buffer.concat(chunks).toString(),
      headers: { 'content-type': request.headers['content-type'] ?? '' },
    });
    responses.push(sent);
    response.writeHead((await sent).status).end();
  });
  return receiver;
}

/** A browser that keeps the cookies of one host and follows no redirects. */
export class CookieBrowser {
  readonly #cookies = new Map<string, string>();

  async send(url: string, options: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...options,
      redirect: 'manual',
      headers: { ...options.headers, cookie },
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}
