import type { LocalCredentials } from '../../administration/credentials.ts';
import type { DemoProgress, DemoResult } from '../../administration/demo/create-demo-data.ts';
import type { AddEndpoints } from './add-endpoints.ts';

/** The state of the last request for demo data. `none` if no page has requested demo data from this service yet. */
export type DemoState =
  | { status: 'none' }
  | ({ status: 'running' } & DemoProgress)
  | ({ status: 'done' } & DemoResult)
  | { status: 'failed'; message: string };

/** The endpoints of the button "Load demo data". They create the data through the API as the administrator. */
export const demoDataEndpoints =
  (credentials: LocalCredentials, smtpPort: number, publish: (state: DemoState) => void): AddEndpoints =>
  (app) => {
    let state: DemoState = { status: 'none' };
    const stopping = new AbortController();
    app.addHook('onClose', async () => stopping.abort(new Error('The service stops.')));

    function change(next: DemoState): void {
      state = next;
      publish(state);
    }

    async function run(): Promise<void> {
      // Imports these modules only when they are needed. A static import would delay the start of the service.
      const [{ createClient }, { createDemoData }] = await Promise.all([
        import('../../client/client.ts'),
        import('../../administration/demo/create-demo-data.ts'),
      ]);
      // The gateway sets `baseUrl` when it has started.
      const { baseUrl, accountId: account, adminEmail, adminPassword } = credentials;
      const result = await createDemoData({
        client: createClient({ baseUrl, account, email: adminEmail, password: adminPassword }),
        ...{ account, local: true, smtpPort, seed: 1, signal: stopping.signal },
        report: (progress) => change({ status: 'running', ...progress }),
      });
      change({ status: 'done', ...result });
    }

    app.get('/demo-data', () => state);
    app.post('/demo-data', (_, reply) => {
      if (state.status !== 'running') {
        change({ status: 'running', step: 'users', done: 0, total: 1 });
        run().catch((error: Error) => change({ status: 'failed', message: error.message }));
      }
      return reply.code(202).send(state);
    });
  };
