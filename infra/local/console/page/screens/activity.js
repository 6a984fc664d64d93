import { repeat } from '/_local/lit-html/directives/repeat.js';
import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call, onUpdate } from '../api.js';
import { durationOf, timeOf } from '../format.js';

/** The live list of requests, and the details of a request or of an event. */
export const activity = {
  title: 'Activity',
  open([kind, ...ids], update) {
    if (kind === 'request') return openRequest(ids[0], update);
    if (kind === 'event') return openEvent(ids, update);
    return openList(update);
  },
};

// The filters stay while the page is open.
const filters = { path: '', status: '', caller: '', event: '' };

async function openList(update) {
  const loaded = await call('GET', 'activity');
  const requests = new Map(loaded.requests.map((request) => [request.id, request]));
  const events = new Map(loaded.otherEvents.map((event) => [nameOf(event), event]));
  const close = onUpdate('activity', ({ request, event }) => {
    if (request) requests.set(request.id, request);
    else if (event.request === undefined) events.set(nameOf(event), event);
    update();
  });
  const filter = (name) => (event) => {
    filters[name] = event.target.value;
    update();
  };
  const shown = () =>
    [...requests.values()]
      .filter(
        ({ method, target, route = '', status, caller = '', events: kinds }) =>
          `${method} ${target} ${route}`.toLowerCase().includes(filters.path.toLowerCase()) &&
          String(status).startsWith(filters.status) &&
          caller.includes(filters.caller) &&
          (filters.event === '' || kinds.some((kind) => kind.includes(filters.event))),
      )
      .sort((one, other) => other.id - one.id)
      .slice(0, 200);

  const requestRow = ({
    id,
    startedAt,
    method,
    target,
    status,
    milliseconds,
    caller,
    error,
    events: kinds,
  }) => html`
    <tr>
      <td class="time">${timeOf(startedAt)}</td>
      <td><a href="#/activity/request/${id}"><b class="method ${method.toLowerCase()}">${method}</b> <code>${target}</code></a></td>
      <td class=${stateOf(status)}>${status}${error ? html` <small>${error}</small>` : nothing}</td>
      <td class="number">${durationOf(milliseconds)}</td>
      <td><code>${caller ?? ''}</code></td>
      <td>${kinds.join(', ')}</td>
    </tr>`;

  const view = () => {
    const rows = shown();
    return html`
      <h1>Activity</h1>
      <form class="filters" @submit=${(event) => event.preventDefault()}>
        <label>Route <input type="search" .value=${filters.path} @input=${filter('path')} placeholder="POST /leads"></label>
        <label>Status <select @change=${filter('status')}>
          ${['', '2', '3', '4', '5'].map(
            (digit) =>
              html`<option value=${digit} ?selected=${filters.status === digit}>${digit === '' ? 'any' : `${digit}xx`}</option>`,
          )}
        </select></label>
        <label>Caller <input type="search" .value=${filters.caller} @input=${filter('caller')} placeholder="user: or key:"></label>
        <label>Event kind <input type="search" .value=${filters.event} @input=${filter('event')} placeholder="lead_created"></label>
      </form>
      ${
        rows.length === 0
          ? html`<p role="status">${requests.size === 0 ? 'No requests yet. Requests to the API appear here immediately.' : 'No request matches the filters.'}</p>`
          : html`<div class="scroll" tabindex="0" role="region" aria-label="Requests"><table class="rows">
              <thead><tr><th>Time</th><th>Request</th><th>Status</th><th>Duration</th><th>Caller</th><th>Events</th></tr></thead>
              <tbody>${repeat(rows, ({ id }) => id, requestRow)}</tbody>
            </table></div>`
      }
      <h2>Other events</h2>
      <p class="note">Events of schedules and consumers, of commands, and of requests that are no longer recorded.</p>
      <ul class="plain-list">${repeat(
        [...events.values()].sort((one, other) => other.id - one.id).slice(0, 50),
        nameOf,
        (event) => html`<li>${eventLink(event)}</li>`,
      )}</ul>`;
  };
  return { view, close };
}

async function openRequest(id, update) {
  let found = await call('GET', `requests/${id}`);
  const reload = async () => {
    found = await call('GET', `requests/${id}`);
    update();
  };
  const close = onUpdate('activity', ({ request, event }) => {
    if (request?.id === Number(id) || event?.request === Number(id)) reload();
  });
  const view = () => {
    const { request, events } = found;
    const { invocation } = request;
    return html`
      <p class="crumb"><a href="#/activity">Activity</a></p>
      <h1><b class="method ${request.method.toLowerCase()}">${request.method}</b> <code>${request.target}</code></h1>
      <p><span class=${stateOf(request.status)}>${request.status}</span> · ${durationOf(request.milliseconds)} ·
        ${timeOf(request.startedAt)} · <code>${request.caller ?? 'no caller'}</code>
        ${request.error ? html` · ${request.error}` : nothing}</p>
      <section class="card">
        <h2>Events</h2>
        ${
          events.length === 0
            ? html`<p>${request.status < 400 ? 'This request wrote no events, or the relay has not read them yet.' : 'A rejected request writes no events.'}</p>`
            : html`<ul class="plain-list">${events.map((event) => html`<li>${eventLink(event)}</li>`)}</ul>`
        }
      </section>
      ${invocation ? html`<section class="card"><h2>DynamoDB calls</h2>${waterfall(invocation)}</section>` : nothing}
      ${invocation ? html`<section class="card"><h2>Writes</h2>${writesOf(invocation.calls)}</section>` : nothing}
      <section class="card"><h2>Request</h2>${headers(request.requestHeaders)}${body(request.requestBody)}</section>
      <section class="card"><h2>Response</h2>${headers(request.responseHeaders)}${body(request.responseBody)}</section>
      ${
        invocation
          ? html`<section class="card"><h2>Function ${invocation.functionName}</h2>
              <pre tabindex="0"><code>${invocation.lines.join('\n') || 'The function logged nothing.'}${invocation.error ? `\n${invocation.error}` : ''}</code></pre></section>`
          : nothing
      }`;
  };
  return { view, close };
}

/** The calls as bars, whose positions show when each call started and ended. */
function waterfall({ calls, milliseconds }) {
  if (calls.length === 0) return html`<p>The function called DynamoDB not once.</p>`;
  const total = Math.max(milliseconds, ...calls.map(({ after, milliseconds: time }) => after + time));
  const units = calls.reduce((sum, call) => sum + (call.units ?? 0), 0);
  return html`<p>${calls.length} calls, ${units} capacity units, ${durationOf(milliseconds)} in the function.</p>
    <ol class="waterfall">${calls.map(
      ({ operation, after, milliseconds: time, units: used, items, error }) => html`<li>
        <p><b>${operation}</b> ${durationOf(time)}${used === undefined ? nothing : html` · ${used} units`}${error ? html` · <span class="state-error">${error}</span>` : nothing}</p>
        <svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="Started after ${durationOf(after)}, took ${durationOf(time)}">
          <rect x=${(after / total) * 1000} width=${Math.max(3, (time / total) * 1000)} height="10"></rect>
        </svg>
        <ul class="plain-list keys">${items.map((item) => html`<li>${keyOf(item)}</li>`)}</ul>
      </li>`,
    )}</ol>`;
}

const keyOf = ({ action, index, pk, sk }) =>
  html`<code>${action}${index ? ` ${index}` : ''}</code> <code>${pk}</code> ${sk ? html`<code>${sk}</code>` : nothing}`;

const writes = ['put', 'update', 'delete'];

function writesOf(calls) {
  const items = calls
    .filter(({ error }) => !error)
    .flatMap((call) => call.items)
    .filter(({ action }) => writes.includes(action));
  return items.length === 0 ? html`<p>Nothing was written.</p>` : writeList(items);
}

const writeList = (items) =>
  html`<ul class="plain-list keys">${items.map(
    (item) =>
      html`<li>${keyOf(item)}${item.attributes?.length ? html`<br><small>${item.attributes.join(', ')}</small>` : nothing}</li>`,
  )}</ul>`;

const headers = (pairs) =>
  html`<details><summary>${pairs.length} headers</summary><dl class="pairs">${pairs.map(
    ([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`,
  )}</dl></details>`;

const body = (text) =>
  text === '' ? html`<p>No body.</p>` : html`<pre tabindex="0"><code>${text}</code></pre>`;

async function openEvent([accountId, id], update) {
  const path = `events/${accountId}/${id}`;
  let event = await call('GET', path);
  let recipients = await call('GET', `${path}/recipients`).catch(() => undefined);
  const reload = async () => {
    [event, recipients] = await Promise.all([
      call('GET', path),
      call('GET', `${path}/recipients`).catch(() => undefined),
    ]);
    update();
  };
  const close = onUpdate('activity', ({ event: updated }) => {
    if (updated?.id === event.id && updated.accountId === accountId) reload();
  });
  const view = () => html`
    <p class="crumb"><a href="#/activity">Activity</a>${event.request === undefined ? nothing : html` · <a href="#/activity/request/${event.request}">the request</a>`}</p>
    <h1>${event.kind}</h1>
    <dl class="pairs">
      <dt>Subject</dt><dd>${event.label ?? ''}</dd>
      <dt>Event</dt><dd><code>${event.id}</code> in <code>${event.accountId}</code></dd>
      <dt>Occurred</dt><dd>${timeOf(event.occurredAt)}, by <code>${event.actor}</code></dd>
    </dl>
    <section class="card">
      <h2>Timeline</h2>
      ${
        event.steps.length === 0
          ? html`<p role="status">The relay has not read this event yet.</p>`
          : html`<ol class="timeline">${event.steps.map((step) => stepView(step, event))}</ol>`
      }
    </section>
    <section class="card">
      <h2>Recipients</h2>
      ${recipientsView(recipients)}
    </section>`;
  return { view, close };
}

const effects = {
  'events-relay': 'The relay sent the event to its queues',
  'events-audit': 'Audit entry',
  'events-notifications': 'Notifications',
  'events-webhooks': 'Webhook deliveries',
  'events-deliveries': 'Messages and webhook attempts',
  'events-cleanup': 'Removal of dependent records',
  'events-jobs': 'Background job',
};

const stepView = (step, { occurredAt }) => html`<li>
  <p><b>${effects[step.functionName] ?? step.functionName}</b>
    <span class=${step.failed ? 'state-error' : 'state-ok'}>${step.failed ? 'failed' : 'done'}</span>
    · ${durationOf(Math.max(0, step.startedAt - Date.parse(occurredAt)))} after the event · ${durationOf(step.milliseconds)}
    ${step.batch > 1 ? html` · in a batch of ${step.batch}` : nothing}</p>
  ${step.requests.map(
    ({ method, url, status, milliseconds }) => html`<p>${method} <code>${url}</code>
      <span class=${status === undefined ? 'state-error' : stateOf(status)}>${status ?? 'no response'}</span> ${durationOf(milliseconds)}</p>`,
  )}
  ${step.writes.length === 0 ? nothing : html`<details><summary>${step.writes.length} writes</summary>${writeList(step.writes)}</details>`}
</li>`;

function recipientsView(recipients) {
  if (!recipients)
    return html`<p>The recipients cannot be explained, because the event log has no such event.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Recipients"><table>
    <thead><tr><th>Member</th><th>Deciding rule</th><th>Channel</th><th>Outcome</th><th>Reason</th></tr></thead>
    <tbody>${recipients.flatMap(({ email, explanation }) =>
      (explanation?.channels ?? []).map(
        ({ channel, outcome, reason }) =>
          html`<tr><td>${email}</td><td>${explanation.decidedBy}</td><td>${channel}</td><td>${outcome}</td><td>${reason}</td></tr>`,
      ),
    )}</tbody>
  </table></div>`;
}

const nameOf = ({ accountId, id }) => `${accountId}/${id}`;

const eventLink = ({ accountId, id, kind, label, occurredAt }) =>
  html`<a href="#/activity/event/${accountId}/${id}">${kind}</a> ${label ?? ''} <span class="time">${timeOf(occurredAt)}</span>`;

function stateOf(status) {
  if (status >= 500) return 'state-error';
  return status >= 400 ? 'state-warning' : 'state-ok';
}
