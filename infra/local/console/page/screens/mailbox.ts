import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { explainMessage } from '../../explain-message.ts';
import type { sendDigestNow, waitingDigests } from '../../send-digest-now.ts';
import type { listMessages, ShownMessage } from '../../stored-messages.ts';
import { call } from '../api.ts';
import { copyButton } from '../copy-button.ts';
import { dataTable } from '../data-table.ts';
import { capitalized, counted, momentOf, sizeText } from '../format.ts';
import { liveData } from '../live-data.ts';
import { actions } from '../run-action.ts';
import type { Answer, Screen } from '../screen.ts';

type Reason = NonNullable<Answer<typeof explainMessage>>;
type Notification = NonNullable<Reason['notification']>;
type Digest = Answer<typeof waitingDigests>[number];

interface Messages extends Answer<typeof listMessages> {
  digests: Digest[];
}

/** A message with the address of a frame that shows its HTML. */
interface OpenedMessage extends Omit<ShownMessage, 'html'> {
  frame?: string;
  sentFor?: Reason;
}

/** The sent mails and text messages, and the digests that are not sent yet. */
export const mailbox: Screen = {
  title: 'Mailbox',
  async open([kind = '', id], update) {
    const data = await liveData(() => call<Messages>('GET', 'messages'), update, ['activity']);
    const action = actions(update);
    const opened =
      id === undefined
        ? undefined
        : await call<OpenedMessage>('GET', `messages/${kind}/${encodeURIComponent(id)}`);
    return {
      view: () => html`<h1>Mailbox</h1>
        <div class="split">
          ${list(data.current, opened)}
          <div>${opened ? messageView(opened, update) : nothing}${digestsView(data, action)}</div>
        </div>`,
      close: data.close,
    };
  },
};

const list = (
  { messages, total }: Messages,
  opened: OpenedMessage | undefined,
) => html`<section class="messages" aria-label="Messages">
  ${
    messages.length === 0
      ? html`<p>No messages yet. Mails and text messages appear here when the service sends them.</p>`
      : html`<ol class="plain-list">${repeat(
          messages,
          ({ id }) => id,
          ({ kind, words, id, at, to, subject }) =>
            html`<li><a class="plain" href="#/mailbox/${kind}/${id}" aria-current=${id === opened?.id ? 'true' : nothing}>
              <span class="time">${momentOf(at)}</span> <small>${words}</small>
              <b>${subject}</b> <span class="to">${to}</span></a></li>`,
        )}</ol>`
  }
  ${total > messages.length ? html`<p class="note">The newest ${messages.length} of ${total} messages.</p>` : nothing}
</section>`;

// The selected part of the message: HTML, text or headers. It stays selected when another message is opened.
let part = 'html';

function messageView(message: OpenedMessage, update: () => void) {
  const { kind, words, subject, from, to, at, size, codes, links, frame, headers, text } = message;
  const parts = {
    ...(frame && { html: 'HTML' }),
    text: 'Text',
    ...(headers.length > 0 && { headers: 'Headers' }),
  };
  const shown = part in parts ? part : 'text';
  const choose = (name: string) => () => {
    part = name;
    update();
  };
  return html`<section class="card">
      <h2>${kind === 'mail' ? subject : capitalized(words)}</h2>
      <dl class="pairs">
        ${from ? html`<dt>From</dt><dd>${from}</dd>` : nothing}
        <dt>To</dt><dd>${to}</dd>
        <dt>Sent</dt><dd>${momentOf(at)}, ${sizeText(size)}</dd>
        ${codes.map((code) => html`<dt>Code</dt><dd><code>${code}</code> ${copyButton('the code', code)}</dd>`)}
        ${links.map((link) => html`<dt>Link</dt><dd><code>${link}</code> ${copyButton('the link', link)}</dd>`)}
      </dl>
      <p class="choices" role="group" aria-label="Parts of the message">${Object.entries(parts).map(
        ([name, label]) =>
          html`<button type="button" class="small" aria-pressed=${name === shown ? 'true' : 'false'} @click=${choose(name)}>${label}</button>`,
      )}</p>
      ${frame ? html`<iframe class="mail" ?hidden=${shown !== 'html'} sandbox="" src=${frame} title="The mail as HTML"></iframe>` : nothing}
      ${shown === 'text' ? html`<pre class="wrapped" tabindex="0" role="region" aria-label="Text"><code>${text}</code></pre>` : nothing}
      ${shown === 'headers' ? headersView(headers) : nothing}
    </section>
    <section class="card"><h2>Why it was sent</h2>${reasonView(message.sentFor)}</section>`;
}

const headersView = (headers: OpenedMessage['headers']) =>
  dataTable(
    'Headers',
    ['Header', 'Value'],
    headers.map(({ name, value }) => [html`<code>${name}</code>`, html`<code>${value}</code>`]),
  );

const reasons: Record<string, string> = {
  own_rule: 'the user subscribed to these events',
  assignee: 'the record is assigned to the user',
  administrator: 'the user is an administrator',
  user_concerned: 'the mail is about the user’s own password',
};

function reasonView(sentFor: Reason | undefined) {
  if (!sentFor)
    return html`<p>The work item that sent this message has expired, or belongs to another data folder.</p>`;
  const { account, user, notification, digest, workItem, attempts } = sentFor;
  return html`<dl class="pairs">
      <dt>User</dt><dd>${user ?? 'no longer a member'} in <code>${account}</code></dd>
      ${notification?.event ? html`<dt>Event</dt><dd>${sentEvent(account, notification.event)}</dd>` : nothing}
      ${notification ? html`<dt>Reason</dt><dd>${reasons[notification.reason] ?? notification.reason}</dd>` : nothing}
      ${digest ? html`<dt>Digest</dt><dd>${digest.cadence}, period ${digest.period}, ${counted(digest.total, 'event')}</dd>` : nothing}
      <dt>Work item</dt><dd><code>${workItem}</code>, ${counted(attempts.length, 'attempt')}</dd>
    </dl>
    ${notification?.explanation ? explanationView(notification.explanation) : nothing}
    ${digest ? html`<ul class="plain-list">${digest.events.map((event) => html`<li>${sentEvent(account, event)}</li>`)}</ul>` : nothing}`;
}

const sentEvent = (account: string, { id, kind, label, occurredAt }: NonNullable<Notification['event']>) =>
  html`<a href="#/activity/event/${account}/${id}">${kind}</a> ${label ?? ''} <span class="time">${momentOf(occurredAt)}</span>`;

const explanationView = ({ decidedBy, channels }: NonNullable<Notification['explanation']>) => html`
  <p>The deciding rule is ${decidedBy === 'service' ? 'the service’s rule' : decidedBy === 'none' ? 'none' : `the user’s rule (${decidedBy})`}.</p>
  ${dataTable(
    'Channels',
    ['Channel', 'Outcome', 'Reason', 'Time'],
    channels.map(({ channel, outcome, reason, at }) => [
      channel.replaceAll('_', ' '),
      outcome.replaceAll('_', ' '),
      reason.replaceAll('_', ' '),
      at ? html`<span class="time">${momentOf(at)}</span>` : '',
    ]),
  )}`;

function digestsView(
  data: { current: Messages; refresh: () => Promise<void> },
  action: ReturnType<typeof actions>,
) {
  const { digests } = data.current;
  const send = ({ account, digest, period, userId }: Digest) =>
    action
      .run(
        () => call<Answer<typeof sendDigestNow>>('POST', 'digests/send', { account, digest, period, userId }),
        ({ status, reason }) => {
          if (status === 'delivered') return 'The digest was sent.';
          if (status === 'waiting') return 'The digest waits in the work queue of mail.';
          return `The digest was not sent: ${reason ?? status}.`;
        },
      )
      .then(data.refresh);
  return html`<section class="card"><h2>Waiting digests</h2>
    ${action.view()}
    ${
      digests.length === 0
        ? html`<p>No digest contains events now. A digest collects events of the kinds to which its user is subscribed.</p>`
        : html`<p class="note">“Send now” sends the current content. The service also sends the digest at the end of its period.</p>
          ${dataTable(
            'Waiting digests',
            ['User', 'Digest', 'Events', 'Due', 'Action'],
            digests.map((one) => [
              one.user ?? one.userId,
              one.digest,
              one.events,
              momentOf(one.due),
              html`<button type="button" class="small" aria-label=${`Send now: the ${one.digest} digest of ${one.user}`} @click=${() => send(one)}>Send now</button>`,
            ]),
          )}`
    }
  </section>`;
}
