import { once } from 'node:events';
import { join } from 'node:path';
import { eventKinds } from '../../shared/resources/derived.ts';
import { readCredentials } from '../administration/credentials.ts';
import { contents } from '../administration/data-folder-contents.ts';
import { type ReceivedDelivery, startWebhookReceiver } from '../administration/webhook-receiver.ts';
import { createClient } from '../client/client.ts';
import { print } from './print.ts';
import { dataFolder, notRunning, runningService } from './service-at.ts';

/** In milliseconds. The service waits 15 seconds for the response to a delivery. */
const forwardTimeout = 14_000;

/** The headers of a delivery that are forwarded. */
const forwarded = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];

type Options = { forwardTo?: string };

export default async function ({ forwardTo: target }: Options): Promise<void> {
  runningService();
  const credentials = readCredentials(join(dataFolder(), contents.credentials));
  if (!credentials) throw new Error(notRunning());
  const { baseUrl, apiKey, apiSecret } = credentials;
  const client = createClient({ baseUrl, apiKey, apiSecret });

  let secret = '';
  const receiver = await startWebhookReceiver({
    secret: () => secret,
    respond: async (delivery, response) => {
      response.writeHead(await statusFor(delivery, target)).end();
    },
  });
  try {
    const { data } = await client.POST('/webhooks', {
      body: {
        url: `${receiver.endpoint}/`,
        events: eventKinds,
        description: 'npm run ops -- webhooks listen',
      },
    });
    const webhook = data as { id: number; secret: string };
    secret = webhook.secret;
    print(undefined, [`Listening to all events. The signing secret is ${secret}`]);
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
    await client.DELETE('/webhooks/{id}', { params: { path: { id: webhook.id } } });
  } finally {
    await receiver.stop();
  }
}

/** Forwards a delivery and prints a line. Returns the status of the response. */
export async function statusFor(delivery: ReceivedDelivery, target: string | undefined): Promise<number> {
  if (!delivery.payload) {
    print(undefined, [`rejected: ${delivery.rejection}`]);
    return 400;
  }
  const { type, data } = delivery.payload;
  const { subject, happening } = data as {
    subject: { type: string; id: unknown; label?: string };
    happening?: string;
  };
  const status = target === undefined ? 204 : await forward(target, delivery);
  const subjectText = `${subject.type} ${subject.id} ${subject.label ?? ''}`.trimEnd();
  const outcome = target === undefined ? '' : ` -> ${status}`;
  print(undefined, [`${new Date().toISOString()}  ${happening ?? type}  ${subjectText}${outcome}`]);
  return status;
}

/** Sends the unchanged delivery to the address. Returns the status of the response, or 502 if there is none. */
async function forward(target: string, { body, headers: given }: ReceivedDelivery): Promise<number> {
  const headers = forwarded.map((name): [string, string] => [name, String(given[name] ?? '')]);
  const signal = AbortSignal.timeout(forwardTimeout);
  return fetch(target, { method: 'POST', headers, body, signal, redirect: 'manual' }).then(
    ({ status }) => status,
    () => 502,
  );
}
