import { html, nothing } from 'lit-html';
import { type Instant, momentOf } from './format.ts';

/** The health of a webhook. */
export const healthView = ({ status }: { status: string }) =>
  html`<span class=${status === 'healthy' ? 'state-ok' : 'state-error'}>${status}</span>`;

export const optionalTime = (instant: Instant | undefined) =>
  instant ? html`<span class="time">${momentOf(instant)}</span>` : '';

const deliveryStates: Record<string, string> = {
  delivered: 'state-ok',
  failed: 'state-error',
  waiting: 'state-warning',
};

/** The status of a delivery. */
export const statusView = (status: string) =>
  html`<span class=${deliveryStates[status] ?? ''}>${status}</span>`;

/** The status or the error of an attempt. */
export const attemptOutcome = ({ status, error }: { status?: number; error?: string }) =>
  html`${status === undefined ? nothing : html`<span class=${deliveryStateOf(status)}>${status}</span> `}${error ? html`<span class="state-error">${error.replaceAll('_', ' ')}</span>` : nothing}`;

/** The class for the color of a response to a delivery. Only a 2xx status is a success. */
export function deliveryStateOf(status: number): string {
  if (status >= 500) return 'state-error';
  return status >= 300 ? 'state-warning' : 'state-ok';
}
