import { asRecordId } from '../../../shared/id/mint.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import type { BuiltInReceiver } from './built-in-receiver.ts';
import { type ApiScreen, changeThroughApi } from './change-through-api.ts';

interface OneWebhook {
  Params: { id: string };
}

interface OneDelivery {
  Params: { id: string; delivery: string };
}

interface WebhookScreen extends ApiScreen {
  /** Called after each change of the built-in receiver. */
  receiverChanged: () => void;
}

const noWebhook = { message: 'This webhook does not exist.' };

/**
 * The endpoints of the screen Webhooks. They import their modules at the first request; see home.ts. They change
 * webhooks only through the API, with the first API key.
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
    const change = changeThroughApi(credentials);

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
    app.post<OneDelivery>('/webhooks/:id/deliveries/:delivery/redeliver', ({ params }, reply) =>
      change(reply, (client) =>
        client.POST('/webhooks/{id}/deliveries/{did}/redeliver', {
          params: { path: { id: Number(params.id), did: Number(params.delivery) } },
        }),
      ),
    );
    app.post<OneWebhook & { Body: { since?: string } | null }>(
      '/webhooks/:id/recover',
      ({ params, body }, reply) =>
        change(reply, (client) =>
          client.POST('/webhooks/{id}/recover', {
            params: { path: { id: Number(params.id) } },
            body: { since: String(body?.since) },
          }),
        ),
    );
    app.post<OneWebhook>('/webhooks/:id/test', ({ params }, reply) =>
      change(reply, (client) =>
        client.POST('/webhooks/{id}/test', { params: { path: { id: Number(params.id) } } }),
      ),
    );
    app.post<OneWebhook>('/webhooks/:id/activate', ({ params }, reply) =>
      change(reply, (client) =>
        client.PATCH('/webhooks/{id}', {
          params: { path: { id: Number(params.id) } },
          body: { active: true },
        }),
      ),
    );

    app.get('/receiver', async () => (await loaded()).state());
    app.put<{ Body: { behaviour?: unknown } | null }>('/receiver', async ({ body }, reply) => {
      const { isBehaviour } = await import('./built-in-receiver.ts');
      if (!isBehaviour(body?.behaviour))
        return reply.code(400).send({ message: 'The receiver has no such behaviour.' });
      const receiver = await loaded();
      receiver.behave(body.behaviour);
      return receiver.state();
    });
    app.post('/receiver/subscription', async (_, reply) => {
      const receiver = await loaded();
      return change(reply, () => receiver.subscribe());
    });
    app.delete('/receiver/subscription', async (_, reply) => {
      const receiver = await loaded();
      return change(reply, () => receiver.unsubscribe());
    });
  };
