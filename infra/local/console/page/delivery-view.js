import { html, nothing } from '/_local/lit-html/lit-html.js';
import { momentOf } from './format.js';

/** The health of a webhook or of the connection to the partner. */
export const healthView = ({ status }) =>
  html`<span class=${{ healthy: 'state-ok', failing: 'state-error', disabled: 'state-error' }[status] ?? ''}>${status}</span>`;

export const optionalTime = (instant) =>
  instant ? html`<span class="time">${momentOf(instant)}</span>` : '';

/** The status of a delivery, or of a partner's event. */
export const statusView = (status) =>
  html`<span class=${{ delivered: 'state-ok', applied: 'state-ok', failed: 'state-error', waiting: 'state-warning' }[status] ?? ''}>${status}</span>`;

/** The status or the error of an attempt. */
export const outcomeOf = ({ status, error }) =>
  html`${status === undefined ? nothing : html`<span class=${stateOf(status)}>${status}</span> `}${error ? html`<span class="state-error">${error.replaceAll('_', ' ')}</span>` : nothing}`;

/** The class for the color of a response to a delivery. Only a 2xx status is a success. */
export function stateOf(status) {
  if (status >= 500) return 'state-error';
  return status >= 300 ? 'state-warning' : 'state-ok';
}
