import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Behaviour, ReceiverState } from '../../built-in-receiver.ts';
import type { readDeliveries, readWebhooks } from '../../read-webhooks.ts';
import type { sentRequest } from '../../sent-request.ts';
import { call } from '../api.ts';
import { request } from '../caller.ts';
import { dataTable } from '../data-table.ts';
import { attemptOutcome, deliveryStateOf, healthView, optionalTime, statusView } from '../delivery-view.ts';
import { counted, durationOf, momentOf, pretty } from '../format.ts';
import { liveData } from '../live-data.ts';
import { actions, type Done } from '../run-action.ts';
import type { Answer, OpenedScreen, Screen } from '../screen.ts';
import { submitTo } from '../submit-form.ts';

type Listed = Answer<typeof readWebhooks>;
type Deliveries = NonNullable<Answer<typeof readDeliveries>>;
type Webhook = Deliveries['webhook'];
type Delivery = Deliveries['deliveries'][number];
type SentRequest = NonNullable<Answer<typeof sentRequest>>;
type Received = ReceiverState['received'][number];

/** Webhooks with their health, deliveries and attempts, and the built-in receiver. */
export const webhooksScreen: Screen = {
  title: 'Webhooks',
  open([id, delivery], update) {
    if (id === undefined) return openList(update);
    return delivery === undefined ? openWebhook(id, update) : openDelivery(id, delivery, update);
  },
};

/** Sends the request of a change, and shows the sentence `done` after its success. */
type Change = (send: () => Promise<unknown>, done: Done<unknown>) => void;

/** Loads live data. Returns it with a function that changes it and loads it again, and with the outcome of the last change. */
async function changeable<T>(load: () => Promise<T>, update: () => void) {
  const data = await liveData(load, update, ['activity', 'receiver']);
  const action = actions(update);
  const change: Change = (send, done) => action.run(send, done).then(data.refresh);
  return { data, change, outcome: action.view };
}

async function openList(update: () => void): Promise<OpenedScreen> {
  const load = async () => {
    const [list, receiver] = await Promise.all([
      call<Listed>('GET', 'webhooks'),
      call<ReceiverState>('GET', 'receiver'),
    ]);
    return { list, receiver };
  };
  const { data, change, outcome } = await changeable(load, update);
  return {
    view: () => html`<h1>Webhooks</h1>
      <section class="card"><h2>Built-in receiver</h2>
        ${receiverView(data.current.receiver, change)}
        ${outcome()}
        ${receivedView(data.current.receiver)}
      </section>
      <section class="card"><h2>Endpoints</h2>${endpointsView(data.current.list)}</section>`,
    close: data.close,
  };
}

const behaviours: Record<Behaviour, string> = {
  succeed: 'succeed with 200',
  fail: 'fail with 500',
  'time out': 'send no response',
  redirect: 'redirect with 302',
  gone: 'respond with 410 Gone',
};

function receiverView({ webhook, behaviour }: ReceiverState, change: Change) {
  if (!webhook)
    return html`<p>The receiver listens on this machine, verifies each signature, and shows each request.
        To start it, subscribe it to all events.</p>
      <p><button type="button" @click=${() => change(() => call('POST', 'receiver/subscription'), 'The receiver is subscribed to all events.')}>Subscribe the receiver</button></p>`;
  return html`<p>Subscribed as <a href="#/webhooks/${webhook.id}">webhook ${webhook.id}</a> at <code>${webhook.url}</code>.
      <button type="button" class="small" @click=${() => change(() => call('DELETE', 'receiver/subscription'), 'The webhook of the receiver was deleted.')}>Unsubscribe</button></p>
    <fieldset class="choices"><legend>The receiver should</legend>${Object.entries(behaviours).map(
      ([name, label]) =>
        html`<label><input type="radio" name="behaviour" .checked=${name === behaviour}
          @change=${() => change(() => call('PUT', 'receiver', { behaviour: name }), `The receiver will ${label}.`)}> ${label}</label>`,
    )}</fieldset>`;
}

const receivedView = ({ received }: ReceiverState) =>
  received.length === 0
    ? nothing
    : html`<h3>Received requests</h3>
      <ol class="plain-list received">${repeat(
        received,
        ({ number }) => number,
        (one) => html`<li><details>
          <summary><span class="time">${momentOf(one.at)}</span> ${one.kind ?? 'unknown'}
            ${one.rejection === undefined ? html`<span class="state-ok">signature verified</span>` : html`<span class="state-error">rejected: ${one.rejection}</span>`}
            ${one.status === 0 ? html`<span class="state-error">no response</span>` : html`<span class=${deliveryStateOf(one.status)}>${one.status}</span>`}</summary>
          ${requestOf(one, `Body of request ${one.number}`)}
        </details></li>`,
      )}</ol>`;

const requestOf = ({ headers, body }: Pick<Received, 'headers' | 'body'>, label: string) => html`
  <dl class="pairs">${Object.entries(headers).map(([name, value]) => html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`)}</dl>
  <pre tabindex="0" role="region" aria-label=${label}><code>${pretty(body)}</code></pre>`;

const endpointsView = (list: Listed) =>
  list.length === 0
    ? html`<p>The account has no webhooks.</p>`
    : dataTable(
        'Endpoints',
        ['Endpoint', 'Health', 'Last success', 'Last failure', 'Waiting', 'Events'],
        list.map(({ id, url, description, health, events, happenings, disabledReason }) => [
          html`<a href="#/webhooks/${id}">${description ?? url}</a>${description ? html`<br><code>${url}</code>` : nothing}`,
          html`${healthView(health)}${disabledReason ? html`<br><small>${disabledReason}</small>` : nothing}`,
          optionalTime(health.lastSuccessAt),
          optionalTime(health.lastFailureAt),
          health.waiting ?? '',
          subscriptionOf({ events, happenings }, 2),
        ]),
      );

/** The subscribed kinds, or their number if there are more than `most`, and the happenings to which they are limited. */
const subscriptionOf = (
  { events, happenings }: Pick<Webhook, 'events' | 'happenings'>,
  most: number,
): string =>
  `${events.length > most ? `${events.length} kinds` : events.join(', ')}${happenings ? ` (happenings: ${happenings.join(', ')})` : ''}`;

const spans: Record<string, number> = {
  'one hour': 3_600_000,
  'one day': 86_400_000,
  '30 days': 30 * 86_400_000,
};

async function openWebhook(id: string, update: () => void): Promise<OpenedScreen> {
  const load = () => call<Deliveries>('GET', `webhooks/${id}`);
  const { data, change, outcome } = await changeable(load, update);
  const activate = () =>
    change(() => request('PATCH', `/webhooks/${id}`, { body: { active: true } }), 'The webhook is active.');
  const test = () =>
    change(() => request('POST', `/webhooks/${id}/test`), 'A test event is being delivered.');
  const recover = ({ span = '' }) => {
    // Adds a minute, because the API rejects a start more than 30 days before the request arrives.
    const since = new Date(Date.now() - (spans[span] ?? 0) + 60_000).toISOString();
    change(
      () => request('POST', `/webhooks/${id}/recover`, { body: { since } }),
      'The missed events are being delivered.',
    );
  };
  return {
    view: () => {
      const { webhook, deliveries } = data.current;
      const { url, description, active, health, disabledReason } = webhook;
      return html`<p class="crumb"><a href="#/webhooks">Webhooks</a></p>
        <h1>${description ?? url}</h1>
        <dl class="pairs">
          <dt>Address</dt><dd><code>${url}</code></dd>
          <dt>Health</dt><dd>${healthView(health)}${disabledReason ? html`: ${disabledReason}` : nothing}</dd>
          <dt>Last attempts</dt><dd>succeeded ${optionalTime(health.lastSuccessAt) || 'never'}, failed ${optionalTime(health.lastFailureAt) || 'never'}</dd>
          <dt>Waiting</dt><dd>${counted(health.waiting ?? 0, 'delivery', 'deliveries')}</dd>
          <dt>Events</dt><dd>${subscriptionOf(webhook, 8)}</dd>
        </dl>
        <form class="filters" @submit=${submitTo(recover)}>
          ${active ? nothing : html`<button type="button" @click=${activate}>Activate</button>`}
          <button type="button" @click=${test}>Send a test event</button>
          <label>Missed events of the last <select name="span">${Object.keys(spans).map((span) => html`<option>${span}</option>`)}</select></label>
          <button type="submit">Recover</button>
        </form>
        ${outcome()}
        <section class="card"><h2>Deliveries</h2>
          ${
            deliveries.length === 0
              ? html`<p>No deliveries yet.</p>`
              : dataTable(
                  'Deliveries',
                  ['Time', 'Event', 'Status', 'Attempts', 'Last response', 'Next attempt', 'Action'],
                  deliveries.map((delivery) => deliveryRow(delivery, change)),
                )
          }
        </section>`;
    },
    close: data.close,
  };
}

function deliveryRow(
  { id, webhookId, event, happening, status, createdAt, attempts, nextAttemptAt }: Delivery,
  change: Change,
) {
  const last = attempts.at(-1);
  return [
    html`<span class="time">${momentOf(createdAt)}</span>`,
    html`<a href="#/webhooks/${webhookId}/${id}">${happening ?? event}</a>`,
    statusView(status),
    attempts.length,
    last ? attemptOutcome(last) : '',
    optionalTime(nextAttemptAt),
    html`<button type="button" class="small" aria-label=${`Redeliver ${event} ${id}`} @click=${() => redeliver(change, webhookId, id)}>Redeliver</button>`,
  ];
}

const redeliver = (change: Change, webhook: number | string, id: number | string) =>
  change(
    () => request('POST', `/webhooks/${webhook}/deliveries/${id}/redeliver`),
    'The delivery is being attempted once more.',
  );

async function openDelivery(id: string, did: string, update: () => void): Promise<OpenedScreen> {
  const load = async () => {
    const [{ webhook, deliveries }, sent] = await Promise.all([
      call<Deliveries>('GET', `webhooks/${id}`),
      call<SentRequest>('GET', `webhooks/${id}/deliveries/${did}`),
    ]);
    return { webhook, sent, delivery: deliveries.find((one) => String(one.id) === did) };
  };
  const { data, change, outcome } = await changeable(load, update);
  return {
    view: () => {
      const { webhook, sent, delivery } = data.current;
      return html`<p class="crumb"><a href="#/webhooks">Webhooks</a> · <a href="#/webhooks/${id}">${webhook.description ?? webhook.url}</a></p>
        <h1>${delivery?.happening ?? delivery?.event ?? 'Delivery'}</h1>
        ${delivery ? deliveryView({ webhook, delivery }, () => redeliver(change, id, did)) : html`<p>The delivery is older than the listed deliveries.</p>`}
        ${outcome()}
        ${(delivery?.attempts ?? []).toReversed().map((attempt) => attemptView(attempt, sent))}`;
    },
    close: data.close,
  };
}

const deliveryView = (
  { webhook, delivery }: { webhook: Webhook; delivery: Delivery },
  again: () => void,
) => html`
  <dl class="pairs">
    <dt>Status</dt><dd>${statusView(delivery.status)}</dd>
    <dt>Event</dt><dd><a href="#/activity/event/${webhook.accountId}/${delivery.id}">${delivery.event}</a> <code>${delivery.id}</code></dd>
    <dt>Message</dt><dd><code>${delivery.messageId}</code></dd>
    ${delivery.nextAttemptAt ? html`<dt>Next attempt</dt><dd>${momentOf(delivery.nextAttemptAt)}</dd>` : nothing}
  </dl>
  <p><button type="button" @click=${again}>Redeliver</button></p>`;

function attemptView(
  {
    number,
    at,
    status,
    durationMs,
    error,
    address,
    response,
    redelivery,
    earlier,
  }: Delivery['attempts'][number],
  sent: SentRequest,
) {
  const headers = sent.attempts.find((one) => one.number === number);
  return html`<section class="card"><h2>Attempt ${number} ${redelivery ? html`<small>requested by a user</small>` : nothing}${earlier ? html`<small>before a recovery</small>` : nothing}</h2>
    <p>${attemptOutcome({ status, error })} · ${momentOf(at)} · ${durationOf(durationMs)}${address ? html` · <code>${address}</code>` : nothing}</p>
    <h3>Response</h3>
    ${response ? html`<pre class="wrapped" tabindex="0" role="region" aria-label=${`Response ${number}`}><code>${response}</code></pre>` : html`<p>${status === undefined ? 'No response was received.' : 'The response has no body.'}</p>`}
    <details><summary>Request</summary>
      <p>POST <code>${sent.url}</code></p>
      ${headers && !headers.sameBody ? html`<p class="state-warning">The sent body differed from the body below. The webhook or the event’s data has changed since.</p>` : nothing}
      ${headers ? requestOf({ headers: headers.headers, body: sent.body }, `Request body ${number}`) : nothing}
      <p class="note">The signature is not stored. The built-in receiver shows the signatures that it receives.</p>
    </details></section>`;
}
