import { html } from '/_local/lit-html/lit-html.js';
import { submitTo } from './submit-form.js';

const types = ['payment.received', 'payment.failed', 'payment.refunded', 'payment.returned'];

/**
 * A form that sends a signed notification as the payment provider would. The fields start with the number, the amount and
 * the currency of an invoice, if there is one. `send` is the function `change` of changeable-data.js.
 */
export const noticeForm = ({ number = '', amountDue = '', currency = 'USD' }, send) => html`
  <form class="filters" @submit=${submitTo((fields) => sendNotice(fields, send))}>
    <label>Notification <select name="type">${types.map((type) => html`<option>${type}</option>`)}</select></label>
    <label>Invoice <input name="invoiceNumber" value=${number} placeholder="INV-000001"></label>
    <label>Amount, smallest unit <input name="amount" type="number" min="1" required value=${amountDue || 100}></label>
    <label>Currency <input name="currency" value=${currency}></label>
    <label>Reference <input name="reference" placeholder="a new one"></label>
    <button type="submit">Send as the provider</button>
  </form>`;

function sendNotice({ type, invoiceNumber, amount, currency, reference }, send) {
  const data = {
    ...(invoiceNumber && { invoiceNumber }),
    ...(currency && { currency }),
    amount: Number(amount),
    reference: reference || newReference('provider'),
    method: 'card',
  };
  send('POST', 'billing/notifications', { type, data }, ({ result, reason }) =>
    reason
      ? `The API accepted the notification: ${result} (${reason.replaceAll('_', ' ')}).`
      : `The API accepted the notification: ${result}.`,
  );
}

/** Returns a reference that no other payment has. */
export const newReference = (sender) => `${sender}-${Date.now()}`;
