import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { verifyWebhook, type WebhookPayload, WebhookVerificationError } from '../client/client.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

/** A request to a receiver. `payload` exists if the signature is valid, and `rejection` if it is not valid. */
export interface ReceivedDelivery {
  at: Date;
  headers: IncomingHttpHeaders;
  body: string;
  payload?: WebhookPayload;
  rejection?: string;
}

interface ReceiverOptions {
  /** The signing secret of the webhook (`whsec_…`). Called for each request. */
  secret: () => string;
  /** Sends the response to a request. An error is logged, and the response is 500. */
  respond: (delivery: ReceivedDelivery, response: ServerResponse) => Promise<void> | void;
}

/** Starts a receiver of webhooks on 127.0.0.1 that verifies each delivery. */
export const startWebhookReceiver = ({ secret, respond }: ReceiverOptions): Promise<LoopbackServer> =>
  startLoopbackServer(async (request, response) => {
    try {
      const { headers } = request;
      const at = new Date();
      const body = await textOf(request);
      await respond({ at, headers, body, ...verified(body, headers, secret()) }, response);
    } catch (error) {
      // The sender has closed the connection.
      if (request.errored) return;
      console.error('The receiver of webhooks failed:', error);
      if (!response.headersSent) response.writeHead(500).end();
    }
  });

function verified(
  body: string,
  headers: IncomingHttpHeaders,
  secret: string,
): Pick<ReceivedDelivery, 'payload' | 'rejection'> {
  try {
    return { payload: verifyWebhook(body, headers, secret) };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { rejection: error.message };
  }
}
