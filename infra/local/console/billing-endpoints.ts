import { asRecordId } from '../../../shared/id/mint.ts';
import type { AddEndpoints } from './add-endpoints.ts';
import { type ApiScreen, changeThroughApi } from './change-through-api.ts';
import type { Frames } from './frames.ts';

interface OneInvoice {
  Params: { invoiceId: string };
}

interface Sent {
  Body: Record<string, unknown> | null;
}

const noInvoice = { message: 'This invoice does not exist.' };

/** The endpoints of the screen Billing. They import their modules at the first request; see home.ts. */
export const billingEndpoints =
  ({ account, credentials }: ApiScreen, frames: Frames): AddEndpoints =>
  (app) => {
    const reader = () => import('./read-billing.ts');
    const change = changeThroughApi(credentials);

    app.get('/billing', async () => {
      const { readBilling } = await reader();
      return readBilling(account, new Date());
    });
    app.get<OneInvoice>('/billing/invoices/:invoiceId', async ({ params: { invoiceId } }, reply) => {
      const { readInvoice } = await reader();
      const id = asRecordId(invoiceId);
      const found = id === undefined ? undefined : await readInvoice(account, id);
      return found ?? reply.code(404).send(noInvoice);
    });
    app.get<OneInvoice>('/billing/invoices/:invoiceId/print', async ({ params: { invoiceId } }, reply) => {
      const { readPrintedInvoice } = await reader();
      const id = asRecordId(invoiceId);
      const page = id === undefined ? undefined : await readPrintedInvoice(account, id);
      return page === undefined ? reply.code(404).send(noInvoice) : { frame: frames.show(page) };
    });
    for (const step of ['open', 'void', 'uncollectible'] as const)
      app.post<OneInvoice>(`/billing/invoices/:invoiceId/${step}`, ({ params: path }, reply) =>
        change(reply, (client) => client.POST(`/invoices/{invoiceId}/${step}`, { params: { path } })),
      );
    for (const entries of ['payments', 'refunds', 'credits'] as const)
      app.post<OneInvoice & Sent>(
        `/billing/invoices/:invoiceId/${entries}`,
        ({ params: path, body }, reply) =>
          change(reply, (client) =>
            client.POST(`/invoices/{invoiceId}/${entries}`, { params: { path }, body: body ?? {} }),
          ),
      );
    app.put<Sent>('/billing/provider', ({ body }, reply) =>
      change(reply, (client) => client.PUT('/billing/provider', { body: body ?? {} })),
    );
    app.post<Sent>('/billing/notifications', ({ body }, reply) =>
      change(
        reply,
        async () => {
          const { sendPaymentNotice } = await import('./send-payment-notice.ts');
          return sendPaymentNotice(account, credentials.baseUrl, { type: body?.type, data: body?.data });
        },
        (result) => result ?? reply.code(404).send({ message: 'The account has no payment provider.' }),
      ),
    );
  };
