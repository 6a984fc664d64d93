import { asAccountId } from '../../../shared/id/account-id.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import { type ApiScreen, changeThroughApi } from './change-through-api.ts';

interface OneAccount {
  Params: { id: string };
}

/** The endpoints of the screen Accounts. They import their module at the first request; see home.ts. */
export const accountEndpoints =
  ({ account, credentials }: ApiScreen): AddEndpoints =>
  (app) => {
    const reader = () => import('./read-accounts.ts');
    const change = changeThroughApi(credentials, 'administrator');

    app.get('/accounts', async () => {
      const { readAccountTree } = await reader();
      return readAccountTree(account);
    });
    app.get<OneAccount>('/accounts/:id', async ({ params }, reply) => {
      const { readAccountDetails } = await reader();
      const id = asAccountId(params.id);
      const found = id && (await readAccountDetails(account, id));
      return found ?? reply.code(404).send({ message: 'This account does not exist.' });
    });
    app.put<OneAccount & { Body: { permissions?: unknown } | null }>(
      '/accounts/:id/permissions',
      ({ params: path, body }, reply) =>
        change(reply, (client) =>
          client.PUT('/accounts/{id}/permissions', {
            params: { path },
            body: { permissions: body?.permissions },
          }),
        ),
    );
    app.post<OneAccount & { Body: { confirmName?: string } | null }>(
      '/accounts/:id/close',
      ({ params: path, body }, reply) =>
        change(reply, (client) =>
          client.DELETE('/accounts/{id}', {
            params: { path, query: { confirmName: String(body?.confirmName ?? '') } },
          }),
        ),
    );
    app.post<OneAccount>('/accounts/:id/reopen', ({ params: path }, reply) =>
      change(reply, (client) => client.POST('/accounts/{id}/reopen', { params: { path } })),
    );
  };
