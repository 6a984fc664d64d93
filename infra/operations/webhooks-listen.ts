import '../quiet-sdk.ts';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { emittedKinds } from '../../shared/events/subject-types.ts';
import { createClient, verifyWebhook, WebhookVerificationError } from '../client/client.ts';
import { readAddresses } from '../local/addresses.ts';
import { readCredentials } from '../local/credentials.ts';
import { contents } from '../local/data-folder.ts';
import { listenOn } from '../local/free-port.ts';
import { command, print } from './command.ts';
import type { ValueType } from './options.ts';
import { dataFolder, notRunning } from './service-at.ts';

const url: ValueType<string> = {
  expected: 'an http or https URL',
  parse: (given) => (URL.canParse(given) && /^https?:/i.test(given) ? given : undefined),
};

/** In milliseconds. The service waits 15 seconds for the response to a delivery. */
const forwardTimeout = 14_000;

/** The headers of a delivery that are forwarded. */
const forwarded = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

await command(
  {
    name: 'webhooks:listen',
    summary: `Receives all events of the local service's account, verifies each delivery, prints a line for it, and forwards
it. Ctrl-C ends the command and deletes its webhook.`,
    options: {
      'forward-to': { type: url, help: 'address to which each delivery is sent; default: none' },
    },
    notes: [
      `Works on the service that runs on this machine with the same DATA_DIR (default .local). The service receives the
status that the address returns, or 502 if there is no response.`,
    ],
  },
  async ({ 'forward-to': target }) => {
    const folder = dataFolder();
    const credentials = readCredentials(join(folder, contents.credentials));
    if (!credentials || !readAddresses(join(folder, contents.addresses))) throw new Error(notRunning());
    const { baseUrl, apiKey, apiSecret } = credentials;
    const client = createClient({ baseUrl, apiKey, apiSecret });

    let secret = '';
    const server = createServer(async (request, response) => {
      try {
        await answer(request, response, secret, target);
      } catch (error) {
        if (!(error instanceof WebhookVerificationError)) throw error;
        print(undefined, `rejected: ${error.message}\n`);
        response.writeHead(400).end();
      }
    });
    const port = await listenOn(server, 0);
    try {
      const { data } = await client.POST('/webhooks', {
        body: {
          url: `http://127.0.0.1:${port}/`,
          events: emittedKinds,
          description: 'npm run webhooks:listen',
        },
      });
      const webhook = data as { id: number; secret: string };
      secret = webhook.secret;
      print(undefined, `Listening to all events. The signing secret is ${secret}\n`);
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
      await client.DELETE('/webhooks/{id}', { params: { path: { id: webhook.id } } });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
);

/** Verifies a delivery, forwards it and prints a line. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
  target: string | undefined,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const { type, data } = verifyWebhook(body, request.headers, secret);
  const { subject } = data as { subject: { type: string; id: unknown; label?: string } };
  const status = target === undefined ? 204 : await forward(target, body, request);
  const subjectText = `${subject.type} ${subject.id} ${subject.label ?? ''}`.trimEnd();
  const outcome = target === undefined ? '' : ` -> ${status}`;
  print(undefined, `${new Date().toISOString()}  ${type}  ${subjectText}${outcome}\n`);
  response.writeHead(status).end();
}

/** Sends the unchanged delivery to the address. Returns the status of the response, or 502 if there is none. */
async function forward(target: string, body: Buffer, { headers: given }: IncomingMessage): Promise<number> {
  const headers = forwarded.map((name): [string, string] => [name, String(given[name] ?? '')]);
  const signal = AbortSignal.timeout(forwardTimeout);
  return fetch(target, { method: 'POST', headers, body, signal, redirect: 'manual' }).then(
    ({ status }) => status,
    () => 502,
  );
}
