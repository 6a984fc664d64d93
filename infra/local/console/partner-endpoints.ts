import type { AddEndpoints } from './add-endpoints.ts';
import { type ApiScreen, changeThroughApi } from './change-through-api.ts';

/** The endpoints of the screen Partner. They import their modules at the first request; see home.ts. */
export const partnerEndpoints =
  ({ account, credentials }: ApiScreen): AddEndpoints =>
  (app) => {
    const change = changeThroughApi(credentials);

    app.get('/partner', async () => {
      const { readPartner } = await import('./read-partner.ts');
      return readPartner(account, new Date());
    });
    app.get<{ Params: { direction: string; id: string } }>(
      '/partner/:direction/:id',
      async ({ params: { direction, id } }, reply) => {
        const { readExchange } = await import('./read-partner.ts');
        return (
          (await readExchange(account, { direction, id }, new Date())) ??
          reply.code(404).send({ message: 'This exchange does not exist.' })
        );
      },
    );
    app.post('/partner/test', (_, reply) =>
      change(reply, (client) => client.POST('/integrations/partner/connection/test')),
    );
  };
