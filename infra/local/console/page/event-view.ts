import { html, nothing, svg } from 'lit-html';
import type { eventEffects } from '../event-effects.ts';
import type { Recorder, RecorderUpdate } from '../recorder.ts';
import { call, onUpdate } from './api.ts';
import { capitalized, counted, durationOf, statusClass, timeOf } from './format.ts';
import type { Answer, OpenedScreen } from './screen.ts';
import { listOfWrites } from './table-items.ts';

type Recorded = NonNullable<ReturnType<Recorder['event']>>;
type Step = Recorded['steps'][number];
type Effects = Answer<typeof eventEffects>;
type Recipients = Pick<Effects, 'recipients'>;
type Delivery = Effects['deliveries'][number];
type Sent = Effects['recipients'][number]['messages'][number];

/** An event with its content. */
interface ShownEvent extends Omit<Recorded, 'occurredAt'> {
  occurredAt: string;
  subject: { type: string; id: number | string };
  data: unknown;
  cause: string;
}

/** A text that identifies an event. It contains the account, because event ids are unique only in an account. */
export const nameOfEvent = ({ accountId, id }: Pick<Recorded, 'accountId' | 'id'>): string =>
  `${accountId}/${id}`;

export const eventLink = ({ accountId, id, kind }: Pick<Recorded, 'accountId' | 'id' | 'kind'>) =>
  html`<a href="#/activity/event/${accountId}/${id}">${kind}</a>`;

/** The delay between an update and its reload, in milliseconds. Updates during the delay cause no additional reload. */
const pause = 150;

/** Opens the timeline and the effects of an event. */
export async function openEvent(
  [accountId = '', id = '']: string[],
  update: () => void,
): Promise<OpenedScreen> {
  const path = `events/${encodeURIComponent(accountId)}/${encodeURIComponent(id)}`;
  const load = () => Promise.all([call<ShownEvent>('GET', path), call<Effects>('GET', `${path}/effects`)]);
  let [event, effects] = await load();
  let timer: ReturnType<typeof setTimeout> | undefined;
  function reloadSoon(): void {
    timer ??= setTimeout(async () => {
      timer = undefined;
      // If the service does not respond, the page keeps the last state.
      [event, effects] = await load().catch(() => [event, effects]);
      update();
    }, pause);
  }
  const end = onUpdate('activity', (change: RecorderUpdate) => {
    if ('message' in change || ('event' in change && nameOfEvent(change.event) === nameOfEvent(event)))
      reloadSoon();
  });
  const close = () => {
    end();
    clearTimeout(timer);
  };
  return { view: () => eventView(event, effects), close };
}

const eventView = (event: ShownEvent, effects: Effects) => html`
  <p class="crumb"><a href="#/activity">Activity</a>${event.request === undefined ? nothing : html` · <a href="#/activity/request/${event.request}">${event.cause}</a>`}</p>
  <h1>${event.kind}</h1>
  <dl class="pairs">
    <dt>Subject</dt><dd>${event.subject.type} <code>${event.subject.id}</code> ${event.label ?? ''}</dd>
    <dt>Event</dt><dd><code>${event.id}</code> of <code>${event.accountId}</code></dd>
    <dt>Occurred</dt><dd>${timeOf(event.occurredAt)}, caused by <code>${event.actor}</code> with <code>${event.cause}</code></dd>
  </dl>
  <section class="card"><h2>Timeline</h2>${timeline(event, effects)}</section>
  <section class="card"><h2>Audit entry</h2><p>${auditTexts[effects.auditEntry]}</p></section>
  <section class="card"><h2>Recipients</h2>${recipientTable(effects)}</section>
  <section class="card"><h2>Mails and text messages</h2>${messageList(effects)}</section>
  <section class="card"><h2>Webhook deliveries</h2>${deliveryList(effects)}</section>
  <section class="card"><h2>Data</h2>
    <pre class="body" tabindex="0" role="region" aria-label="Data of the event"><code>${JSON.stringify(event.data, null, 2)}</code></pre>
  </section>`;

const auditTexts = {
  written: 'The audit log of the record contains the event.',
  missing: 'The audit log of the record does not contain the event yet, or the record was deleted.',
  none: 'Records of this type have no audit log.',
};

const stepNames: Record<string, string> = {
  'events-relay': 'Relay',
  'events-audit': 'Audit log',
  'events-notifications': 'Recipients',
  'events-webhooks': 'Webhook deliveries',
  'events-deliveries': 'Webhook attempts',
  'events-cleanup': 'Removal of dependent records',
  'events-partner': 'Partner',
  'events-messages': 'Mails and text messages',
  'events-outgoing': 'Mails to customers',
  'events-jobs': 'Jobs',
  'events-sealing': 'Seals',
};

/** Lists the event, the calls that processed the event, and the attempts to send messages, ordered by time. */
function timeline(event: ShownEvent, effects: Effects) {
  const began = Date.parse(event.occurredAt);
  const sent = effects.recipients.flatMap(({ email, messages }) =>
    messages.flatMap((message) =>
      message.attempts.map((attempt) => ({ at: Date.parse(attempt.at), email, message, attempt })),
    ),
  );
  const ends = event.steps.map(({ startedAt, milliseconds }) => startedAt + milliseconds - began);
  const total = Math.max(1, ...ends);
  const entries = [
    ...event.steps.map((step) => ({ at: step.startedAt, entry: stepOf(step, began, total) })),
    ...sent.map((one) => ({ at: one.at, entry: sentOf(one, began) })),
  ].sort((one, other) => one.at - other.at);
  return html`
    ${event.steps.length === 0 ? html`<p role="status">No call of the relay or a consumer is recorded for this event.</p>` : nothing}
    <ol class="timeline">
      <li><p><b>Event</b> stored in the transaction of its change, at ${timeOf(began)}</p></li>
      ${entries.map(({ entry }) => entry)}
    </ol>`;
}

const afterEvent = (at: number, began: number) =>
  html`<span class="time">+ ${durationOf(Math.max(0, at - began))}</span>`;

function stepOf(step: Step, began: number, total: number) {
  const { functionName, startedAt, milliseconds, failed, error, queuedAt, receives = 1, batch } = step;
  const waited = queuedAt === undefined ? undefined : Math.max(0, startedAt - queuedAt);
  return html`<li>
    <p><b>${stepNames[functionName] ?? functionName}</b> ${afterEvent(startedAt, began)}
      <span class=${failed ? 'state-error' : 'state-ok'}>${failed ? 'failed' : 'done'}</span> in ${durationOf(milliseconds)}
      ${waited === undefined ? nothing : html`· ${durationOf(waited)} in the queue`}
      ${receives > 1 ? html`· <span class="state-warning">retry ${receives - 1}</span>` : nothing}
      ${batch > 1 ? html`· in a batch of ${batch}` : nothing}</p>
    <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      ${bar('wait', (queuedAt ?? startedAt) - began, startedAt - began, total)}
      ${bar('run', startedAt - began, startedAt + milliseconds - began, total)}
    </svg>
    ${error ? html`<p class="state-error">${error}</p>` : nothing}
    ${step.attempts.map(
      ({ method, url, status, milliseconds: time }) =>
        html`<p>${method} <code>${url}</code> ${statusOf(status)} ${durationOf(time)}</p>`,
    )}
    ${
      step.writes.length === 0
        ? nothing
        : html`<details><summary>${counted(step.writes.length, 'write')}</summary>${listOfWrites(step.writes)}</details>`
    }
  </li>`;
}

/** A part of a bar. `from` and `to` are in milliseconds after the event. */
function bar(name: 'wait' | 'run', from: number, to: number, total: number) {
  const start = Math.max(0, (from / total) * 1000);
  const width = Math.max(name === 'run' ? 3 : 0, (to / total) * 1000 - start);
  return svg`<rect class=${name} x=${start} width=${width} height="10"></rect>`;
}

interface SentAttempt {
  at: number;
  email: string;
  message: Sent;
  attempt: Sent['attempts'][number];
}

const sentOf = ({ at, email, message, attempt }: SentAttempt, began: number) => html`<li>
  <p><b>${capitalized(message.words)}</b> ${afterEvent(at, began)} to ${email}
    <span class=${attempt.outcome === 'sent' ? 'state-ok' : 'state-warning'}>${String(attempt.outcome).replaceAll('_', ' ')}</span></p>
</li>`;

function recipientTable({ recipients, omittedMembers }: Effects) {
  const rows = recipients.flatMap(({ email, explanation }) =>
    (explanation?.channels ?? []).map((channel) => ({ email, rule: explanation?.decidedBy, ...channel })),
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Recipients"><table>
      <thead><tr><th>Member</th><th>Channel</th><th>Outcome</th><th>Reason</th><th>Deciding rule</th></tr></thead>
      <tbody>${rows.map(
        ({ email, rule, channel, outcome, reason }) => html`<tr>
          <td>${email}</td><td>${plain(channel)}</td>
          <td class=${outcomeClasses[outcome] ?? ''}>${plain(outcome)}</td><td>${plain(reason)}</td><td>${rule}</td></tr>`,
      )}</tbody>
    </table></div>
    ${omittedMembers > 0 ? html`<p class="note">${omittedMembers} further members are not shown.</p>` : nothing}`;
}

const outcomeClasses: Record<string, string> = {
  sent: 'state-ok',
  waiting: 'state-warning',
  not_delivered: 'state-error',
};

const plain = (name: string): string => name.replaceAll('_', ' ');

function messageList({ recipients }: Recipients) {
  const messages = recipients.flatMap(({ email, messages: own }) =>
    own.map((message) => ({ email, ...message })),
  );
  if (messages.length === 0) return html`<p>The event caused no mail or text message.</p>`;
  return html`<ul class="plain-list">${messages.map(
    ({ email, kind, words, status, stored, attempts }) => html`<li>
      <b>${capitalized(words)}</b> to ${stored?.to ?? email}:
      <span class=${deliveryClasses[status] ?? ''}>${status}</span>
      ${stored ? html`· <a href="#/mailbox/${kind}/${stored.id}">${stored.subject ?? 'show the text'}</a>` : nothing}
      ${attempts.length > 1 ? html`· ${attempts.length} attempts` : nothing}</li>`,
  )}</ul>`;
}

const deliveryClasses: Record<string, string> = {
  waiting: 'state-warning',
  delivered: 'state-ok',
  failed: 'state-error',
  cancelled: 'state-warning',
};

function deliveryList({ deliveries }: Effects) {
  if (deliveries.length === 0) return html`<p>No webhook receives the event.</p>`;
  return deliveries.map(
    ({ id, webhookId, url, status, nextAttemptAt, attempts, request }) => html`
      <h3><a href="#/records/webhooks/${webhookId}/deliveries/${id}"><code>${url}</code></a> <span class=${deliveryClasses[status] ?? ''}>${status}</span></h3>
      ${nextAttemptAt ? html`<p>The next attempt is at ${timeOf(nextAttemptAt)}.</p>` : nothing}
      <div class="scroll" tabindex="0" role="region" aria-label="Attempts of the delivery to ${url}"><table>
        <thead><tr><th>Attempt</th><th>Time</th><th>Status</th><th>Duration</th><th>Response or error</th></tr></thead>
        <tbody>${attempts.map(
          (attempt) => html`<tr>
            <td>${attempt.number}${attempt.redelivery ? ' (requested)' : ''}</td><td class="time">${timeOf(attempt.at)}</td>
            <td>${statusOf(attempt.status)}</td><td class="number">${durationOf(attempt.durationMs)}</td>
            <td><code>${attempt.error ?? attempt.response ?? ''}</code></td></tr>`,
        )}</tbody>
      </table></div>
      ${request ? requestView(request, url) : nothing}`,
  );
}

const requestView = (
  { headers, body, sameBody }: NonNullable<Delivery['request']>,
  url: string,
) => html`<details><summary>Request</summary>
  ${sameBody ? nothing : html`<p class="state-warning">The sent body differed from the body below. The webhook or the event’s data has changed since.</p>`}
  <dl class="pairs">${Object.entries(headers).map(([name, value]) => html`<dt><code>${name}</code></dt><dd><code>${value}</code></dd>`)}</dl>
  <pre class="body" tabindex="0" role="region" aria-label="Body of the request to ${url}"><code>${body}</code></pre>
  <p class="note">The signature is not stored. The <a href="#/receiver">webhook receiver</a> shows the signatures that it receives.</p>
</details>`;

const statusOf = (status: number | undefined) =>
  status === undefined
    ? html`<span class="state-error">no response</span>`
    : html`<span class=${statusClass(status)}>${status}</span>`;
