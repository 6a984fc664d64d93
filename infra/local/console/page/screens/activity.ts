import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Recorder, RecorderUpdate } from '../../recorder.ts';
import { call, onUpdate } from '../api.ts';
import { eventLink, nameOfEvent, openEvent } from '../event-view.ts';
import { durationOf, statusClass, timeOf } from '../format.ts';
import { openRequest } from '../request-view.ts';
import type { OpenedScreen, Screen } from '../screen.ts';

type RequestRow = ReturnType<Recorder['requests']>[number];
type EventRow = ReturnType<Recorder['otherEvents']>[number];

/** The live list of requests, and the details of a request or of an event. */
export const activity: Screen = {
  title: 'Activity',
  open([kind, ...ids], update) {
    if (kind === 'request') return openRequest(ids[0] ?? '', update);
    if (kind === 'event') return openEvent(ids, update);
    return openList(update);
  },
};

/** The list shows at most this many requests and other events. */
const [mostRequests, mostEvents] = [200, 50];

// The filters stay while the page is open.
const filters = { route: '', status: '', caller: '', event: '' };

async function openList(update: () => void): Promise<OpenedScreen> {
  const loaded = await call<{ requests: RequestRow[]; otherEvents: EventRow[] }>('GET', 'activity');
  const requests = new Map(loaded.requests.map((request) => [request.id, request]));
  const events = new Map(loaded.otherEvents.map((event) => [nameOfEvent(event), event]));
  let paused = false;
  /** The updates since the list was paused. */
  const waiting: RecorderUpdate[] = [];

  function apply(change: RecorderUpdate): void {
    if ('request' in change) requests.set(change.request.id, change.request);
    else if ('event' in change && change.event.request === undefined)
      events.set(nameOfEvent(change.event), change.event);
    dropOldest(requests);
    dropOldest(events);
  }

  const close = onUpdate('activity', (change: RecorderUpdate) => {
    if (paused) waiting.push(change);
    else apply(change);
    if (waiting.length > 5000) waiting.shift();
    update();
  });

  function togglePause() {
    paused = !paused;
    if (!paused) waiting.splice(0).forEach(apply);
    update();
  }

  const filter = (name: keyof typeof filters) => (event: Event) => {
    filters[name] = (event.target as HTMLInputElement | HTMLSelectElement).value;
    update();
  };

  const shownRequests = () =>
    newestFirst(
      requests,
      ({ method, target, route = '', status, caller = '', events: kinds }) =>
        contains(`${method} ${target} ${route}`, filters.route) &&
        String(status).startsWith(filters.status) &&
        contains(caller, filters.caller) &&
        (filters.event === '' || kinds.some((kind) => contains(kind, filters.event))),
    ).slice(0, mostRequests);

  const shownEvents = () =>
    newestFirst(events, ({ kind }) => contains(kind, filters.event)).slice(0, mostEvents);

  const search = (name: keyof typeof filters, label: string, example: string) => html`<label>${label}
    <input type="search" .value=${filters[name]} @input=${filter(name)} placeholder=${example}></label>`;

  const view = () => html`
    <h1>Activity</h1>
    <form class="filters" @submit=${(event: Event) => event.preventDefault()}>
      ${search('route', 'Route', 'POST /leads')}
      <label>Status <select @change=${filter('status')}>
        ${['', '2', '3', '4', '5'].map(
          (digit) =>
            html`<option value=${digit} ?selected=${filters.status === digit}>${digit === '' ? 'any' : `${digit}xx`}</option>`,
        )}
      </select></label>
      ${search('caller', 'Caller', 'user: or key:')}
      ${search('event', 'Event kind', 'lead_created')}
      <button type="button" @click=${togglePause}>${paused ? `Continue (${waiting.length} updates)` : 'Pause'}</button>
    </form>
    ${requestTable(shownRequests(), requests.size)}
    <h2>Other events</h2>
    <p class="note">Events of schedules, consumers and commands, and of requests that are no longer recorded.</p>
    ${eventTable(shownEvents())}`;
  return { view, close };
}

function requestTable(rows: RequestRow[], all: number) {
  if (rows.length === 0)
    return html`<p role="status">${all === 0 ? 'No requests yet. A request to the API appears here immediately.' : 'No request matches the filters.'}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Requests"><table class="rows">
    <thead><tr><th>Time</th><th>Request</th><th>Status</th><th>Duration</th><th>Caller</th><th>Events</th></tr></thead>
    <tbody>${repeat(rows, ({ id }) => id, requestRow)}</tbody>
  </table></div>`;
}

const requestRow = ({
  id,
  startedAt,
  method,
  target,
  status,
  milliseconds,
  caller,
  error,
  events,
}: RequestRow) => html`<tr>
  <td class="time">${timeOf(startedAt)}</td>
  <td><a href="#/activity/request/${id}"><b class="method ${method.toLowerCase()}">${method}</b> <code>${target}</code></a></td>
  <td class=${statusClass(status)}>${status}${error ? html` <small>${error}</small>` : nothing}</td>
  <td class="number">${durationOf(milliseconds)}</td>
  <td><code>${caller ?? ''}</code></td>
  <td>${events.join(', ')}</td>
</tr>`;

function eventTable(rows: EventRow[]) {
  if (rows.length === 0) return html`<p role="status">No other events.</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Other events"><table class="rows">
    <thead><tr><th>Time</th><th>Event</th><th>Subject</th><th>Actor</th></tr></thead>
    <tbody>${repeat(
      rows,
      nameOfEvent,
      (event) => html`<tr>
        <td class="time">${timeOf(event.occurredAt)}</td>
        <td>${eventLink(event)}</td>
        <td>${event.label ?? ''}</td>
        <td>${event.actor}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;
}

const contains = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.trim().toLowerCase());

const newestFirst = <T extends { id: number }>(all: Map<unknown, T>, condition: (one: T) => boolean): T[] =>
  [...all.values()].filter(condition).sort((one, other) => other.id - one.id);

/** The maximum number of requests and of events on the screen. */
const most = 1000;

function dropOldest<K>(map: Map<K, unknown>): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
