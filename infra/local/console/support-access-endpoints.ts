import type { AddEndpoints } from './add-endpoints.ts';
import { type ApiScreen, changeThroughApi } from './change-through-api.ts';

interface Sent {
  Body: Record<string, unknown> | null;
}

interface OneEvent {
  Params: { id: string };
}

/** The endpoints of the screen Support access. They import their module at the first request; see home.ts. */
export const supportAccessEndpoints =
  ({ account, credentials }: ApiScreen): AddEndpoints =>
  (app) => {
    const change = changeThroughApi(credentials, 'administrator');
    const params = { path: { id: account } };

    app.get('/support-access', async () => {
      const { readSupportAccess } = await import('./read-support-access.ts');
      return readSupportAccess(account, new Date());
    });
    app.put<Sent>('/support-access', ({ body }, reply) =>
      change(reply, (client) =>
        client.PATCH('/accounts/{id}', {
          params,
          body: { impersonationForbidden: body?.impersonationForbidden },
        }),
      ),
    );
    app.delete<{ Params: { email: string } }>('/support-access/:email', ({ params: path }, reply) =>
      change(reply, (client) => client.DELETE('/users/{email}/impersonation', { params: { path } })),
    );
    app.put<Sent>('/body-capture', ({ body }, reply) =>
      change(reply, (client) =>
        client.PUT('/accounts/{id}/body-capture', { params, body: { days: body?.days } }),
      ),
    );
    app.delete('/body-capture', (_, reply) =>
      change(reply, (client) => client.DELETE('/accounts/{id}/body-capture', { params })),
    );
    for (const part of ['request-body', 'response-body'] as const)
      app.post<OneEvent & Sent>(`/body-capture/:id/${part}`, ({ params: path, body }, reply) =>
        change(
          reply,
          (client) =>
            client.POST(`/events/{id}/${part}`, { params: { path }, body: { reason: body?.reason } }),
          ({ data }) => data,
        ),
      );
  };
