import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from './api.js';
import { dataTable } from './data-table.js';
import { optionalTime } from './delivery-view.js';
import { pretty } from './format.js';
import { actions } from './run-action.js';
import { submitTo } from './submit-form.js';

/** Returns the view of the captured bodies. It switches capture on and off, and shows a body through the API. */
export function captureView(data, update) {
  const action = actions(update);
  // The body that was shown last. It is not kept when the developer leaves the screen.
  let revealed;
  let reason = '';
  const changeReason = (event) => {
    reason = event.target.value;
  };
  const change = (method, body, done) =>
    action.run(() => call(method, 'body-capture', body), done).then(data.refresh);
  const reveal = (id, part) =>
    action.run(async () => {
      revealed = undefined;
      revealed = { ...(await call('POST', `body-capture/${id}/${part}-body`, { reason })), part };
    }, 'The body is shown. An event records this access with its reason.');
  return () => {
    const { bodyCaptureUntil, events, captured } = data.current;
    return html`<section class="card"><h2>Captured bodies</h2>
        ${switchView(bodyCaptureUntil, change)}
        ${action.view()}
        ${
          events.length === 0
            ? html`<p>No recent event has a captured body.</p>`
            : html`<p><label>Reason for showing a body <input name="reason" required maxlength="500" @input=${changeReason}></label></p>
              ${eventsView(events, reveal)}`
        }
        ${captured > events.length ? html`<p class="note">The newest ${events.length} of ${captured} events with a body, among the newest 200 events.</p>` : nothing}
      </section>
      ${revealed ? revealedView(revealed) : nothing}`;
  };
}

const switchView = (until, change) => html`
  <p>${until ? html`<span class="state-warning">Capture is on</span> until ${optionalTime(until)}. Each request that changes records stores its two bodies, without sensitive values.` : 'Capture is off. Bodies that were captured remain for 14 days.'}</p>
  <form class="filters" @submit=${submitTo(({ days }) => change('PUT', { days: Number(days) }, 'Capture is on.'))}>
    <label>Days <input name="days" type="number" min="1" max="14" required value="7"></label>
    <button type="submit">${until ? 'Change the end' : 'Switch capture on'}</button>
    ${until ? html`<button type="button" @click=${() => change('DELETE', undefined, 'Capture is off.')}>Switch capture off</button>` : nothing}
  </form>`;

const eventsView = (events, reveal) =>
  dataTable(
    'Events with captured bodies',
    ['Time', 'Event', 'Id', 'Show the body'],
    events.map(({ id, accountId, kind, label, occurredAt, hasRequestBody, hasResponseBody }) => [
      optionalTime(occurredAt),
      html`<a href="#/activity/event/${accountId}/${id}">${kind}</a> ${label ?? ''}`,
      html`<code class="name">${id}</code>`,
      html`<span class="number">${hasRequestBody ? revealButton(id, 'request', reveal) : nothing}
        ${hasResponseBody ? revealButton(id, 'response', reveal) : nothing}</span>`,
    ]),
  );

const revealButton = (id, part, reveal) =>
  html`<button type="button" class="small" aria-label=${`Show the ${part} body of ${id}`} @click=${() => reveal(id, part)}>${part}</button>`;

const revealedView = ({ eventId, part, body, truncated, capturedAt, expiresAt }) => html`
  <section class="card"><h2>Shown body</h2>
    <p>The ${part} body of the event <code>${eventId}</code>, captured ${optionalTime(capturedAt)}. It will be erased ${optionalTime(expiresAt)}.
      ${truncated ? html`<span class="state-warning">The end is missing, because the body has more than 64 KB.</span>` : nothing}</p>
    <pre class="body" tabindex="0" role="region" aria-label="Shown body"><code>${pretty(body)}</code></pre>
  </section>`;
