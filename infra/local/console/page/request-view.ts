import { html, nothing } from 'lit-html';
import type { Invocation, TableCall } from '../../invocation.ts';
import type { Recorder, RecorderUpdate } from '../recorder.ts';
import { call, onUpdate } from './api.ts';
import { eventLink } from './event-view.ts';
import { counted, durationOf, statusClass, timeOf } from './format.ts';
import type { OpenedScreen } from './screen.ts';
import { isWrite, itemKeyView, listOfWrites } from './table-items.ts';

type Found = NonNullable<ReturnType<Recorder['request']>>;
type Call = Pick<Invocation, 'functionName' | 'milliseconds' | 'calls' | 'lines' | 'error'>;

/** Opens the details of a recorded request. */
export async function openRequest(id: string, update: () => void): Promise<OpenedScreen> {
  const path = `requests/${encodeURIComponent(id)}`;
  let found = await call<Found>('GET', path);
  const close = onUpdate('activity', async (change: RecorderUpdate) => {
    const changed =
      'request' in change ? change.request.id : 'event' in change ? change.event.request : undefined;
    if (changed !== Number(id)) return;
    // If the request is no longer recorded, the page keeps the last state.
    found = await call<Found>('GET', path).catch(() => found);
    update();
  });
  return { view: () => requestView(found), close };
}

const requestView = ({ request, events }: Found) => html`
  <p class="crumb"><a href="#/activity">Activity</a></p>
  <h1><b class="method ${request.method.toLowerCase()}">${request.method}</b> <code>${request.target}</code></h1>
  <p><span class=${statusClass(request.status)}>${request.status}</span> · ${durationOf(request.milliseconds)} ·
    ${timeOf(request.startedAt)} · <code>${request.caller ?? 'no caller'}</code>
    ${request.error ? html` · ${request.error}` : nothing}</p>
  <section class="card">
    <h2>Events</h2>
    ${eventsOf(request, events)}
  </section>
  ${request.invocation ? callsOf(request.invocation) : nothing}
  <section class="card"><h2>Request</h2>${headers(request.requestHeaders)}${body('Request body', request.requestBody)}</section>
  <section class="card"><h2>Response</h2>${headers(request.responseHeaders)}${body('Response body', request.responseBody)}</section>
  ${request.invocation ? logOf(request.invocation) : nothing}`;

function eventsOf({ status, method }: Found['request'], events: Found['events']) {
  if (events.length > 0)
    return html`<ul class="plain-list">${events.map(
      (event) =>
        html`<li>${eventLink(event)} ${event.label ?? ''} <span class="time">${timeOf(event.occurredAt)}</span></li>`,
    )}</ul>`;
  if (method === 'GET' || status >= 400) return html`<p>This request wrote no events.</p>`;
  return html`<p role="status">This request wrote no events, or the relay has not read them yet.</p>`;
}

const callsOf = (invocation: Call) => html`
  <section class="card"><h2>DynamoDB calls</h2>${waterfall(invocation)}</section>
  <section class="card"><h2>Writes</h2>${writesOf(invocation.calls)}</section>`;

/** The calls as bars, whose positions show when each call started and ended. */
function waterfall({ calls, milliseconds }: Call) {
  if (calls.length === 0) return html`<p>The function did not call DynamoDB.</p>`;
  const total = Math.max(milliseconds, ...calls.map(({ after, milliseconds: time }) => after + time));
  const units = calls.reduce((sum, { units: used = 0 }) => sum + used, 0);
  return html`<p>${counted(calls.length, 'call')} with ${counted(units, 'capacity unit')}, in ${durationOf(milliseconds)} of the function.</p>
    <ol class="waterfall">${calls.map((one) => callOf(one, total))}</ol>`;
}

const callOf = (
  { operation, after, milliseconds, units, items, error }: TableCall,
  total: number,
) => html`<li>
  <p><b>${operation}</b> ${durationOf(milliseconds)}${units === undefined ? nothing : html` · ${counted(units, 'unit')}`}
    ${error ? html` · <span class="state-error">${error}</span>` : nothing}</p>
  <svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="Started after ${durationOf(after)}, took ${durationOf(milliseconds)}">
    <rect x=${(after / total) * 1000} width=${Math.max(3, (milliseconds / total) * 1000)} height="10"></rect>
  </svg>
  <ul class="plain-list keys">${items.map((item) => html`<li>${itemKeyView(item)}</li>`)}</ul>
</li>`;

function writesOf(calls: readonly TableCall[]) {
  const items = calls
    .filter(({ error }) => !error)
    .flatMap((one) => one.items)
    .filter(isWrite);
  return items.length === 0 ? html`<p>The request wrote no items.</p>` : listOfWrites(items);
}

const logOf = ({ functionName, lines, error }: Call) => html`<section class="card">
  <h2>Log of <code>${functionName}</code></h2>
  <pre tabindex="0" role="region" aria-label="Log"><code>${lines.join('\n') || 'The function logged nothing.'}${error ? `\n${error}` : ''}</code></pre>
</section>`;

const headers = (pairs: [string, string][]) => html`<details><summary>${pairs.length} headers</summary>
  <dl class="pairs">${pairs.map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl></details>`;

const body = (name: string, text: string) =>
  text === ''
    ? html`<p>No body.</p>`
    : html`<pre class="body" tabindex="0" role="region" aria-label=${name}><code>${text}</code></pre>`;
