import { type DemoCompany, readAll } from './company.ts';

interface KnownInvoice {
  id: number;
  status: string;
  customerId: string;
}

interface OpenedInvoice {
  total: number;
  payments: { reference: string }[];
}

const day = (daysFromNow: number): string =>
  new Date(Date.now() + daysFromNow * 86_400_000).toISOString().slice(0, 10);

/** Creates an invoice for each planned merchant. Skips the steps that an earlier run has already done. */
export async function createInvoices(company: DemoCompany, merchants: readonly number[]): Promise<void> {
  const { plan, send } = company;
  const known = new Map(
    (await readAll<KnownInvoice>(company, '/invoices')).map((invoice) => [invoice.customerId, invoice]),
  );
  await company.each(
    'invoices',
    plan.invoices,
    async ({ merchant, dueInDays, lines, outcome, reference }) => {
      const customerId = String(merchants[merchant]);
      const to = { customerType: 'merchant', customerId, currency: 'USD', dueDate: day(dueInDays) };
      const invoice =
        known.get(customerId) ?? (await send<KnownInvoice>('POST', '/invoices', { ...to, lines }));
      const path = `/invoices/${invoice.id}`;
      if (outcome === 'draft' || (invoice.status !== 'draft' && invoice.status !== 'open')) return;
      if (invoice.status === 'draft') await send('POST', `${path}/open`);
      const { total, payments } = await send<OpenedInvoice>('GET', path);
      const result = outcome === 'failed' ? 'failed' : 'received';
      const amount = outcome === 'partly' ? Math.floor(total / 2) : total;
      const isPaid = payments.some((payment) => payment.reference === reference);
      if ((outcome === 'paid' || outcome === 'partly' || outcome === 'failed') && !isPaid)
        await send('POST', `${path}/payments`, { result, amount, method: 'bank_transfer', reference });
      if (outcome === 'void') await send('POST', `${path}/void`);
    },
  );
}
