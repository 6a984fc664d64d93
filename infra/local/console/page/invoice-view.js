import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from './api.js';
import { changeableData } from './changeable-data.js';
import { dataTable } from './data-table.js';
import { optionalTime } from './delivery-view.js';
import { moneyOf } from './format.js';
import { newReference, noticeForm } from './notice-form.js';
import { submitTo } from './submit-form.js';

const states = {
  draft: '',
  paid: 'state-ok',
  open: 'state-warning',
  void: '',
  uncollectible: 'state-error',
};

export const invoiceStatus = (status) => html`<span class=${states[status]}>${status}</span>`;

/** Opens an invoice with its lines and entries, and with forms that change it. */
export async function openInvoice(id, update) {
  const path = `billing/invoices/${encodeURIComponent(id)}`;
  const { data, change, outcome } = await changeableData(() => call('GET', path), update);
  let frame;
  const print = async () => {
    ({ frame } = await call('GET', `${path}/print`));
    update();
  };
  return {
    view: () => {
      const invoice = data.current;
      return html`<p class="crumb"><a href="#/billing">Billing</a></p>
        <h1>${invoice.number ?? `Draft for ${invoice.customerName}`}</h1>
        ${amountsView(invoice)}
        <p>${buttonsOf(invoice, (step, done) => change('POST', `${path}/${step}`, undefined, done))}
          <button type="button" @click=${print}>Show the page for printing</button></p>
        ${outcome()}
        ${frame ? html`<section class="card"><h2>Page for printing</h2><iframe class="mail" sandbox="" src=${frame} title="The page for printing"></iframe></section>` : nothing}
        ${invoice.status === 'draft' || invoice.status === 'void' ? nothing : formsView(invoice, path, change)}
        <section class="card"><h2>Lines</h2>${linesView(invoice)}</section>
        <section class="card"><h2>Payments, refunds and credits</h2>${entriesView(invoice)}</section>`;
    },
    close: data.close,
  };
}

function amountsView(invoice) {
  const amounts = {
    Total: `${moneyOf(invoice.total, invoice)}, of which tax ${moneyOf(invoice.tax, invoice)}`,
    ...(invoice.received > 0 && { Received: moneyOf(invoice.received, invoice) }),
    ...(invoice.refunded > 0 && { Refunded: moneyOf(invoice.refunded, invoice) }),
    ...(invoice.credited > 0 && { Credited: moneyOf(invoice.credited, invoice) }),
    ...(invoice.writtenOff > 0 && { 'Written off': moneyOf(invoice.writtenOff, invoice) }),
    'Amount due': moneyOf(invoice.amountDue, invoice),
  };
  return html`<dl class="pairs">
    <dt>Status</dt><dd>${invoiceStatus(invoice.status)}</dd>
    <dt>Customer</dt><dd>${invoice.customerName}, ${invoice.customerType} <code>${invoice.customerId}</code></dd>
    ${Object.entries(amounts).map(([name, amount]) => html`<dt>${name}</dt><dd>${amount}</dd>`)}
    <dt>Due date</dt><dd>${invoice.dueDate ?? '30 days after the opening'}</dd>
    <dt>Opened</dt><dd>${optionalTime(invoice.openedAt) || 'not yet'}</dd>
  </dl>`;
}

function buttonsOf({ status }, take) {
  const button = (label, step, done) =>
    html`<button type="button" @click=${() => take(step, done)}>${label}</button> `;
  if (status === 'draft') return button('Open', 'open', 'The invoice is open and has a number.');
  if (status !== 'open') return nothing;
  return html`${button('Void', 'void', 'The invoice is void.')}${button('Mark as uncollectible', 'uncollectible', 'The amount due is written off.')}`;
}

/** The entries that the form can record, with their paths and the fields that are always the same. */
const kinds = {
  'Payment received': { path: 'payments', fields: { result: 'received', method: 'bank_transfer' } },
  'Payment failed': { path: 'payments', fields: { result: 'failed', method: 'bank_transfer' } },
  Refund: { path: 'refunds', fields: {} },
  'Returned payment': { path: 'refunds', fields: { reopens: true } },
  Credit: { path: 'credits', fields: { reason: 'Recorded in the local console' }, noReference: true },
};

function formsView(invoice, path, change) {
  const record = ({ kind, amount, reference }) => {
    const { path: entries, fields, noReference } = kinds[kind];
    const body = {
      ...fields,
      amount: Number(amount),
      ...(!noReference && { reference: reference || newReference('console') }),
    };
    change('POST', `${path}/${entries}`, body, 'The entry is recorded.');
  };
  return html`<section class="card"><h2>Record an entry</h2>
      <form class="filters" @submit=${submitTo(record)}>
        <label>Entry <select name="kind">${Object.keys(kinds).map((kind) => html`<option>${kind}</option>`)}</select></label>
        <label>Amount, smallest unit <input name="amount" type="number" min="1" required value=${invoice.amountDue || invoice.received || 1}></label>
        <label>Reference <input name="reference" placeholder="a new one"></label>
        <button type="submit">Record</button>
      </form>
    </section>
    <section class="card"><h2>Notification of the payment provider</h2>${noticeForm(invoice, change)}</section>`;
}

const linesView = (invoice) =>
  dataTable(
    'Lines',
    ['Description', 'Quantity', 'Unit amount', 'Tax rate', 'Tax', 'Total'],
    invoice.lines.map((line) => [
      line.description,
      line.exactQuantity ?? line.quantity,
      moneyOf(line.discount ? -line.unitAmount : line.unitAmount, invoice),
      `${Number(((line.exactTaxRate ?? line.taxRate ?? 0) / 100).toFixed(3))} %`,
      moneyOf(line.tax, invoice),
      moneyOf(line.total, invoice),
    ]),
  );

function entriesView(invoice) {
  const entries = [
    ...invoice.payments.map((entry) => ({ ...entry, kind: `payment ${entry.result}` })),
    ...invoice.refunds.map((entry) => ({ ...entry, kind: entry.reopens ? 'returned payment' : 'refund' })),
    ...invoice.credits.map((entry) => ({ ...entry, kind: 'credit' })),
  ].sort((one, other) => other.id - one.id);
  if (entries.length === 0) return html`<p>Nothing is recorded yet.</p>`;
  return dataTable(
    'Entries',
    ['Time', 'Entry', 'Amount', 'Due afterwards', 'Reference', 'By'],
    entries.map(({ createdAt, kind, amount, amountDue, reference, createdBy }) => [
      optionalTime(createdAt),
      html`<span class=${kind === 'payment failed' ? 'state-error' : ''}>${kind}</span>`,
      html`<span class="number">${moneyOf(amount, invoice)}</span>`,
      html`<span class="number">${moneyOf(amountDue, invoice)}</span>`,
      html`<code class="name">${reference ?? ''}</code>`,
      html`<code class="name">${createdBy}</code>`,
    ]),
  );
}
