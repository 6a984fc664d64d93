import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { changeableData } from '../changeable-data.js';
import { dataTable } from '../data-table.js';
import { healthView, optionalTime, outcomeOf, statusView } from '../delivery-view.js';
import { countOf, durationOf, momentOf } from '../format.js';
import { liveData } from '../live-data.js';

/** The connection to the account's partner with its health, the requests to the partner, and the partner's events. */
export const partner = {
  title: 'Partner',
  open: ([direction, id], update) =>
    id === undefined ? openConnection(update) : openExchange(direction, id, update),
};

async function openConnection(update) {
  const { data, change, outcome } = await changeableData(() => call('GET', 'partner'), update);
  const test = () => change('POST', 'partner/test', undefined, 'A test request is being sent.');
  return {
    view: () => {
      const { connection, requests, events } = data.current;
      return html`<h1>Partner</h1>
        <section class="card"><h2>Connection</h2>
          ${connection ? connectionView(connection, test) : html`<p>The account has no connection to a partner. <code>npm run partner</code> starts a simulated partner and connects the account to it.</p>`}
          ${outcome()}
        </section>
        <section class="card"><h2>Requests to the partner</h2>${requestsView(requests)}</section>
        <section class="card"><h2>Events of the partner</h2>${eventsView(events)}</section>`;
    },
    close: data.close,
  };
}

const connectionView = ({ url, publicKey, active, health, previousSecretUntil }, test) => html`
  <dl class="pairs">
    <dt>Address</dt><dd><code>${url}</code></dd>
    <dt>Health</dt><dd>${healthView(health)}</dd>
    <dt>Last attempts</dt><dd>succeeded ${optionalTime(health.lastSuccessAt) || 'never'}, failed ${optionalTime(health.lastFailureAt) || 'never'}</dd>
    <dt>Waiting</dt><dd>${countOf(health.waiting ?? 0, 'request')}</dd>
    <dt>Sensitive values</dt><dd>${publicKey ? 'encrypted with the partner’s public key' : 'not sent, because the connection has no public key'}</dd>
    ${previousSecretUntil ? html`<dt>Previous secret</dt><dd>valid until ${momentOf(previousSecretUntil)}</dd>` : nothing}
  </dl>
  ${active ? html`<p><button type="button" @click=${test}>Send a test request</button></p>` : html`<p>The connection is not active. Requests wait, and events are rejected.</p>`}`;

const requestsView = (requests) =>
  requests.length === 0
    ? html`<p>No requests yet.</p>`
    : dataTable(
        'Requests to the partner',
        ['Time', 'Request', 'About', 'Status', 'Attempts', 'Last response', 'Next attempt'],
        requests.map(({ id, content, status, createdAt, attempts, due }) => [
          html`<span class="time">${momentOf(createdAt)}</span>`,
          html`<a href=${`#/partner/requests/${encodeURIComponent(id)}`}>${requestName(content)}</a>`,
          html`<code class="name">${aboutRequest(content)}</code>`,
          statusView(status),
          attempts.length,
          attempts.length > 0 ? outcomeOf(attempts.at(-1)) : '',
          optionalTime(due),
        ]),
      );

const requestNames = {
  test: 'Test',
  application: 'Application',
  sync: 'Status',
  comment: 'Comment',
};

const requestName = ({ request, repeats }) =>
  repeats ? 'Status after a day of silence' : requestNames[request];

const aboutRequest = ({ applicationId, ticketId }) => applicationId ?? ticketId ?? '';

const eventsView = (events) =>
  events.length === 0
    ? html`<p>No events yet.</p>`
    : dataTable(
        'Events of the partner',
        ['Time', 'Event', 'About', 'Content', 'Status'],
        events.map(({ id, content: { type, data }, status, createdAt }) => [
          html`<span class="time">${momentOf(createdAt)}</span>`,
          html`<a href=${`#/partner/events/${encodeURIComponent(id)}`}>${type}</a>`,
          html`<code class="name">${data?.applicationId ?? data?.ticketId ?? ''}</code>`,
          data ? summaryOf(data) : 'unknown type, ignored',
          statusView(status === 'delivered' ? 'applied' : status),
        ]),
      );

/** The main value of an event: a status with its number, a text, or the number of documents. */
function summaryOf({ status, sequence, text, subject, body, documents }) {
  if (status) return `${sequence}: ${status}`;
  return text ?? subject ?? body ?? (documents ? countOf(documents.length, 'document') : '');
}

async function openExchange(direction, id, update) {
  const path = `partner/${encodeURIComponent(direction)}/${encodeURIComponent(id)}`;
  const data = await liveData(() => call('GET', path), update, ['activity']);
  return {
    view: () => {
      const { content, status, createdAt, due, attempts } = data.current;
      const isRequest = direction === 'requests';
      return html`<p class="crumb"><a href="#/partner">Partner</a></p>
        <h1>${isRequest ? requestName(content) : content.type}</h1>
        <dl class="pairs">
          <dt>Status</dt><dd>${statusView(isRequest || status !== 'delivered' ? status : 'applied')}</dd>
          <dt>${isRequest ? 'Queued' : 'Received'}</dt><dd><span class="time">${momentOf(createdAt)}</span></dd>
          <dt>Id</dt><dd><code>${data.current.id}</code></dd>
          ${due ? html`<dt>Next attempt</dt><dd>${momentOf(due)}</dd>` : nothing}
        </dl>
        <section class="card"><h2>Content</h2>
          <pre class="wrapped" tabindex="0" role="region" aria-label="Content"><code>${JSON.stringify(isRequest ? content : (content.data ?? {}), null, 2)}</code></pre>
          ${isRequest ? html`<p class="note">Bodies are created for each attempt. They and the partner’s responses are not stored, because they may contain sensitive values.</p>` : nothing}
        </section>
        ${isRequest ? attemptsView(attempts) : nothing}`;
    },
    close: data.close,
  };
}

const attemptsView = (attempts) => html`<section class="card"><h2>Attempts</h2>
  ${
    attempts.length === 0
      ? html`<p>No attempts yet.</p>`
      : dataTable(
          'Attempts',
          ['Attempt', 'Time', 'Response', 'Duration', 'Address', 'SHA-256 of the body'],
          attempts
            .toReversed()
            .map((attempt) => [
              attempt.number,
              html`<span class="time">${momentOf(attempt.at)}</span>`,
              outcomeOf(attempt),
              html`<span class="number">${durationOf(attempt.durationMs)}</span>`,
              html`<code>${attempt.address ?? ''}</code>`,
              html`<code>${attempt.sha256 ?? ''}</code>`,
            ]),
        )
  }</section>`;
