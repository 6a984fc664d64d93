import type { AddEndpoints } from './add-endpoints.ts';
import { type ApiScreen, changeThroughApi } from './change-through-api.ts';

interface OneDomain {
  Params: { id: string };
}

/** The endpoints of the screen Domains. They import their modules at the first request; see home.ts. */
export const domainEndpoints =
  ({ account, credentials }: ApiScreen): AddEndpoints =>
  (app) => {
    const change = changeThroughApi(credentials, 'administrator');

    app.get('/domains', async () => {
      const { vanityDomains } = await import('../../../shared/domains/store.ts');
      const { showDomain } = await import('../../../shared/domains/show-domain.ts');
      return (await vanityDomains.all(account)).map(({ domain, proof }) => showDomain(domain, proof));
    });
    app.post<{ Body: { domain?: string } | null }>('/domains', ({ body }, reply) =>
      change(reply, (client) => client.POST('/domains', { body: { domain: String(body?.domain ?? '') } })),
    );
    for (const step of ['validate', 'activate'] as const)
      app.post<OneDomain>(`/domains/:id/${step}`, ({ params: path }, reply) =>
        change(reply, (client) => client.POST(`/domains/{id}/${step}`, { params: { path } })),
      );
    app.delete<OneDomain>('/domains/:id', ({ params: path }, reply) =>
      change(reply, (client) => client.DELETE('/domains/{id}', { params: { path } })),
    );
  };
