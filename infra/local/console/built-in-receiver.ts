import type { ServerResponse } from 'node:http';
import { eventKinds } from '../../../shared/resources/derived.ts';
import type { LoopbackServer } from '../../administration/loopback-server.ts';
import { type ReceivedDelivery, startWebhookReceiver } from '../../administration/webhook-receiver.ts';
import { type Client, ResponseError } from '../../client/client.ts';

/** How the receiver responds to a delivery whose signature is valid. */
export const behaviours = ['succeed', 'fail', 'time out', 'redirect', 'gone'] as const;
export type Behaviour = (typeof behaviours)[number];
export const isBehaviour = (text: unknown): text is Behaviour => behaviours.some((one) => one === text);

/** A received request, as the console shows it. */
interface ReceivedRequest {
  /** Counts the received requests, starting at 1. */
  number: number;
  at: string;
  headers: Record<string, string>;
  body: string;
  /** The event kind, if the signature is valid. */
  kind?: string;
  /** Why the signature is not valid. */
  rejection?: string;
  /** The status of the response; 0 if the receiver sent no response. */
  status: number;
}

export interface ReceiverState {
  behaviour: Behaviour;
  /** The webhook that sends events to the receiver. Absent if the receiver is not subscribed. */
  webhook?: { id: number; url: string };
  /** Newest first. */
  received: ReceivedRequest[];
}

export interface BuiltInReceiver {
  state(): ReceiverState;
  behave(behaviour: Behaviour): void;
  /** Subscribes the receiver to all events through the API. Reuses the webhook of an earlier start. */
  subscribe(): Promise<void>;
  /** Deletes the webhook through the API and stops listening. */
  unsubscribe(): Promise<void>;
  stop(): Promise<void>;
}

/** The description of the receiver's webhook. After a restart, the receiver finds the webhook by this description. */
const description = 'The built-in receiver of the local console';
/** The maximum number of kept requests, and the maximum number of characters that are kept of each body. */
const [mostKept, longestBody] = [100, 32 * 1024];

/** Creates the built-in receiver. It listens on 127.0.0.1 after its first subscription. */
export function builtInReceiver(client: Client, changed: () => void): BuiltInReceiver {
  let server: LoopbackServer | undefined;
  let webhook: { id: number; url: string; secret: string } | undefined;
  let behaviour: Behaviour = 'succeed';
  let received: ReceivedRequest[] = [];
  let count = 0;

  const respond = ({ at, headers, body, payload, rejection }: ReceivedDelivery, response: ServerResponse) => {
    const status = payload ? statusOf(behaviour) : 400;
    const request: ReceivedRequest = {
      number: ++count,
      at: at.toISOString(),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      body: body.slice(0, longestBody),
      ...(payload && { kind: payload.type }),
      ...(rejection !== undefined && { rejection }),
      status,
    };
    received = [request, ...received].slice(0, mostKept);
    changed();
    // Sends no response, so that the sender's request times out.
    if (status === 0) return;
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end(bodyOf(status));
  };

  return {
    state: () => ({ behaviour, ...(webhook && { webhook: { id: webhook.id, url: webhook.url } }), received }),
    behave(next) {
      behaviour = next;
      changed();
    },
    async subscribe() {
      server ??= await startWebhookReceiver({ secret: () => webhook?.secret ?? '', respond });
      webhook = await subscribed(client, `${server.endpoint}/`);
      changed();
    },
    async unsubscribe() {
      if (webhook) await deleteWebhook(client, webhook.id);
      webhook = undefined;
      await server?.stop();
      server = undefined;
      changed();
    },
    async stop() {
      await server?.stop();
    },
  };
}

const statusOf = (behaviour: Behaviour): number =>
  ({ succeed: 200, fail: 500, 'time out': 0, redirect: 302, gone: 410 })[behaviour];

const bodyOf = (status: number): string =>
  ({ 200: 'Received.', 302: 'Elsewhere.', 400: 'The signature is not valid.', 410: 'Gone.' })[status] ??
  'The receiver is set to fail.';

/** Creates the webhook, or activates an earlier webhook with a new URL and a new secret. */
async function subscribed(client: Client, url: string): Promise<{ id: number; url: string; secret: string }> {
  const events = [...eventKinds];
  const { data: list } = await client.GET('/webhooks', { params: { query: { pageSize: 100 } } });
  const earlier = (list as { data: ApiWebhook[] }).data.find((one) => one.description === description);
  if (!earlier) {
    const { data } = await client.POST('/webhooks', { body: { url, events, description } });
    return { ...(data as ApiWebhook & { secret: string }), url };
  }
  const params = { path: { id: earlier.id } };
  await client.PATCH('/webhooks/{id}', { params, body: { url, events, active: true } });
  const { data } = await client.POST('/webhooks/{id}/rotate-secret', { params, body: { expireNow: true } });
  return { id: earlier.id, url, secret: (data as { secret: string }).secret };
}

/** The fields of a webhook that this file uses. The client's types are generated and are not in the source tree. */
interface ApiWebhook {
  id: number;
  description?: string;
}

async function deleteWebhook(client: Client, id: number): Promise<void> {
  await client.DELETE('/webhooks/{id}', { params: { path: { id } } }).catch((error) => {
    // The webhook was already deleted.
    if (!(error instanceof ResponseError && error.status === 404)) throw error;
  });
}
