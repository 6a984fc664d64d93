import type { FastifyReply } from 'fastify';
import type { AccountId } from '../../../shared/id/account-id.ts';
import { asRecordId } from '../../../shared/id/mint.ts';
import type { LocalCredentials } from '../../administration/credentials.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import type { BuiltInReceiver } from './built-in-receiver.ts';

interface OneWebhook {
  Params: { id: string };
}

interface OneDelivery {
  Params: { id: string; delivery: string };
}

interface WebhookScreen {
  account: AccountId;
  credentials: LocalCredentials;
  /** Called after each change of the built-in receiver. */
  receiverChanged: () => void;
}

const noWebhook = { message: 'This webhook does not exist.' };

/**
 * The endpoints of the screen Webhooks. They import their modules at the first request; see home.ts. The built-in receiver
 * changes its webhook through the API, with the first API key.
 */
export const webhookEndpoints =
  ({ account, credentials, receiverChanged }: WebhookScreen): AddEndpoints =>
  (app) => {
    let loading: Promise<BuiltInReceiver> | undefined;
    const load = async () => {
      const [{ createClient }, { builtInReceiver }] = await Promise.all([
        import('../../client/client.ts'),
        import('./built-in-receiver.ts'),
      ]);
      return builtInReceiver(createClient(credentials), receiverChanged);
    };
    const loaded = () => {
      loading ??= load();
      return loading;
    };
    app.addHook('onClose', async () => (await loading)?.stop());

    app.get('/webhooks', async () => {
      const { readWebhooks } = await import('./read-webhooks.ts');
      return readWebhooks(account, new Date());
    });
    app.get<OneWebhook>('/webhooks/:id', async ({ params }, reply) => {
      const { readDeliveries } = await import('./read-webhooks.ts');
      const id = asRecordId(params.id);
      const found = id === undefined ? undefined : await readDeliveries(account, id, new Date());
      return found ?? reply.code(404).send(noWebhook);
    });
    app.get<OneDelivery>('/webhooks/:id/deliveries/:delivery', async ({ params }, reply) => {
      const { sentRequest } = await import('./sent-request.ts');
      const [id, event] = [asRecordId(params.id), asRecordId(params.delivery)];
      const found =
        id === undefined || event === undefined
          ? undefined
          : await sentRequest(account, id, event, new Date());
      return found ?? reply.code(404).send({ message: 'This delivery does not exist.' });
    });
    app.get('/receiver', async () => (await loaded()).state());
    app.put<{ Body: { behaviour?: unknown } | null }>('/receiver', async ({ body }, reply) => {
      const { isBehaviour } = await import('./built-in-receiver.ts');
      if (!isBehaviour(body?.behaviour))
        return reply.code(400).send({ message: 'The receiver has no such behaviour.' });
      const receiver = await loaded();
      receiver.behave(body.behaviour);
      return receiver.state();
    });
    /** An error response of the API becomes the response of the console. */
    const change = async (reply: FastifyReply, name: 'subscribe' | 'unsubscribe') => {
      const { ResponseError } = await import('../../client/client.ts');
      try {
        await (await loaded())[name]();
        return {};
      } catch (error) {
        if (!(error instanceof ResponseError)) throw error;
        return reply.code(error.status).send({ message: error.message });
      }
    };
    app.post('/receiver/subscription', (_, reply) => change(reply, 'subscribe'));
    app.delete('/receiver/subscription', (_, reply) => change(reply, 'unsubscribe'));
  };
