import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { Behaviour, ReceiverState } from '../../built-in-receiver.ts';
import { call } from '../api.ts';
import { momentOf, pretty } from '../format.ts';
import { liveData } from '../live-data.ts';
import { actions, type Done } from '../run-action.ts';
import type { Screen } from '../screen.ts';

/** The built-in receiver of webhook deliveries. The screen Records shows the webhooks and their deliveries. */
export const receiver: Screen = {
  title: 'Webhook receiver',
  async open(_, update) {
    const data = await liveData(() => call<ReceiverState>('GET', 'receiver'), update, ['receiver']);
    const action = actions(update);
    const change: Change = (method, path, done, body) =>
      action.run(() => call(method, path, body), done).then(data.refresh);
    return {
      view: () => html`<h1>Webhook receiver</h1>
        <p>The receiver listens on this machine, verifies the signature of each delivery, and shows each request.
          <a href="#/records/webhooks">All webhooks</a></p>
        <section class="card"><h2>Subscription</h2>${subscriptionView(data.current, change)}${action.view()}</section>
        <section class="card"><h2>Received requests</h2>${receivedView(data.current.received)}</section>`,
      close: data.close,
    };
  },
};

/** Sends a request to the console, and shows the sentence `done` after its success. */
type Change = (method: string, path: string, done: Done<unknown>, body?: { behaviour: Behaviour }) => void;

const behaviours: Record<Behaviour, string> = {
  succeed: 'succeed with 200',
  fail: 'fail with 500',
  'time out': 'send no response',
  redirect: 'redirect with 302',
  gone: 'respond with 410 Gone',
};

function subscriptionView({ webhook, behaviour }: ReceiverState, change: Change) {
  const subscribe = () =>
    change('POST', 'receiver/subscription', 'The receiver is subscribed to all events.');
  const unsubscribe = () =>
    change('DELETE', 'receiver/subscription', 'The webhook of the receiver was deleted.');
  if (!webhook)
    return html`<p>The receiver is not subscribed.</p>
      <p><button type="button" @click=${subscribe}>Subscribe to all events</button></p>`;
  const record = `#/records/webhooks/${webhook.id}`;
  return html`<p>Subscribed at <code>${webhook.url}</code>.
      <a href=${record}>Webhook</a> · <a href="${record}/deliveries">Deliveries</a>
      <button type="button" class="small" @click=${unsubscribe}>Unsubscribe</button></p>
    <fieldset class="choices"><legend>The receiver should</legend>${(
      Object.keys(behaviours) as Behaviour[]
    ).map((name) => {
      const choose = () =>
        change('PUT', 'receiver', `The receiver will ${behaviours[name]}.`, { behaviour: name });
      return html`<label><input type="radio" name="behaviour" .checked=${name === behaviour} @change=${choose}> ${behaviours[name]}</label>`;
    })}</fieldset>`;
}

const receivedView = (received: ReceiverState['received']) =>
  received.length === 0
    ? html`<p>No requests yet.</p>`
    : html`<ol class="plain-list received">${repeat(received, ({ number }) => number, requestView)}</ol>`;

function requestView({
  number,
  at,
  kind,
  rejection,
  status,
  headers,
  body,
}: ReceiverState['received'][number]) {
  const [, account, event] = /^evt_(\w+)_(\d+)$/.exec(headers['webhook-id'] ?? '') ?? [];
  return html`<li><details>
    <summary><span class="time">${momentOf(at)}</span> ${kind ?? 'unknown'}
      ${rejection === undefined ? html`<span class="state-ok">signature verified</span>` : html`<span class="state-error">rejected: ${rejection}</span>`}
      <span class=${status === 200 ? 'state-ok' : 'state-error'}>${status === 0 ? 'no response' : status}</span></summary>
    ${rejection === undefined && event !== undefined ? html`<p><a href="#/activity/event/${account}/${event}">Event with all deliveries and attempts</a></p>` : nothing}
    <dl class="pairs">${Object.entries(headers).map(([name, value]) => html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`)}</dl>
    <pre tabindex="0" role="region" aria-label="Body of request ${number}"><code>${pretty(body)}</code></pre>
  </details></li>`;
}
