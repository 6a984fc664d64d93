import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { changeableData } from '../changeable-data.js';
import { dataTable } from '../data-table.js';
import { optionalTime } from '../delivery-view.js';
import { moneyOf } from '../format.js';
import { invoiceStatus, openInvoice } from '../invoice-view.js';
import { noticeForm } from '../notice-form.js';

/** The invoices of the account, its payment provider, and the notifications that fit no invoice. */
export const billing = {
  title: 'Billing',
  open: ([id], update) => (id === undefined ? openBilling(update) : openInvoice(id, update)),
};

async function openBilling(update) {
  const { data, change, outcome } = await changeableData(() => call('GET', 'billing'), update);
  return {
    view: () => {
      const { provider, total, invoices, unmatched } = data.current;
      return html`<h1>Billing</h1>
        <section class="card"><h2>Invoices</h2>
          ${invoices.length === 0 ? html`<p>The account has no invoices. <code>POST /invoices</code> creates a draft.</p>` : invoicesView(invoices)}
          ${total > invoices.length ? html`<p class="note">The newest ${invoices.length} of ${total} invoices.</p>` : nothing}
        </section>
        <section class="card"><h2>Payment provider</h2>${providerView(provider, change)}${outcome()}</section>
        <section class="card"><h2>Unmatched payments</h2>
          <p class="note">Notifications that fit no invoice. <code>POST /billing/unmatched-payments/{unmatchedId}/assign</code> applies one to an invoice.</p>
          ${unmatched.length === 0 ? html`<p>There are no unmatched payments.</p>` : unmatchedView(unmatched)}
        </section>`;
    },
    close: data.close,
  };
}

const invoicesView = (invoices) =>
  dataTable(
    'Invoices',
    ['Invoice', 'Customer', 'Status', 'Total', 'Received', 'Due', 'Due date', 'Created'],
    invoices.map((invoice) => [
      html`<a class="name" href="#/billing/${invoice.id}">${invoice.number ?? 'draft'}</a>`,
      invoice.customerName,
      invoiceStatus(invoice.status),
      ...['total', 'received', 'amountDue'].map(
        (field) => html`<span class="number">${moneyOf(invoice[field], invoice)}</span>`,
      ),
      html`<span class="time">${invoice.dueDate ?? ''}</span>`,
      optionalTime(invoice.createdAt),
    ]),
  );

/** The name of the provider that the console creates. */
const name = 'Provider of the local console';

function providerView(provider, change) {
  const save = (body, done) => change('PUT', 'billing/provider', body, done);
  if (!provider)
    return html`<p>The account has no payment provider. The console can create one, and then send its signed notifications.</p>
      <p><button type="button" @click=${() => save({ name, active: true }, 'The payment provider is created.')}>Create a payment provider</button></p>`;
  const { active, previousSecretUntil } = provider;
  return html`<dl class="pairs">
      <dt>Name</dt><dd>${provider.name}</dd>
      <dt>State</dt><dd>${active ? html`<span class="state-ok">active</span>` : html`<span class="state-error">not active, notifications are rejected</span>`}
        <button type="button" class="small" @click=${() => save({ name: provider.name, active: !active }, active ? 'Notifications are rejected from now on.' : 'The payment provider is active.')}>${active ? 'Deactivate' : 'Activate'}</button></dd>
      ${previousSecretUntil ? html`<dt>Previous secret</dt><dd>valid until ${optionalTime(previousSecretUntil)}</dd>` : nothing}
    </dl>
    <p class="note">The form sends <code>POST /billing/provider/{accountId}/notifications</code>, signed with the provider’s secret. A repeated reference is a duplicate.</p>
    ${noticeForm({}, change)}`;
}

const unmatchedView = (unmatched) =>
  dataTable(
    'Unmatched payments',
    ['Time', 'Notification', 'Reason', 'Invoice', 'Amount', 'Reference', 'Id'],
    unmatched.map((payment) => [
      optionalTime(payment.createdAt),
      payment.notice,
      payment.reason.replaceAll('_', ' '),
      payment.invoiceNumber ?? '',
      payment.amount === undefined
        ? ''
        : html`<span class="number">${moneyOf(payment.amount, payment)}</span>`,
      html`<code class="name">${payment.reference ?? ''}</code>`,
      html`<code class="name">${payment.id}</code>`,
    ]),
  );
