import type { FastifyReply } from 'fastify';
import type { LocalCredentials } from '../../administration/credentials.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import type { BuiltInReceiver } from './built-in-receiver.ts';

interface ReceiverScreen {
  credentials: LocalCredentials;
  /** Called after each change of the receiver. */
  changed: () => void;
}

/**
 * The endpoints of the screen Webhook receiver. They import their modules at the first request; see home.ts. The receiver
 * changes its webhook through the API, with the first API key.
 */
export const receiverEndpoints =
  ({ credentials, changed }: ReceiverScreen): AddEndpoints =>
  (app) => {
    let loading: Promise<BuiltInReceiver> | undefined;
    const load = async () => {
      const [{ createClient }, { builtInReceiver }] = await Promise.all([
        import('../../client/client.ts'),
        import('./built-in-receiver.ts'),
      ]);
      return builtInReceiver(createClient(credentials), changed);
    };
    const loaded = () => {
      loading ??= load();
      return loading;
    };
    app.addHook('onClose', async () => (await loading)?.stop());

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
