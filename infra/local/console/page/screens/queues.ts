import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { inspectDeadLetter, listDeadLetters } from '../../manage-dead-letters.ts';
import type { sqsQueues, workQueues } from '../../queue-states.ts';
import { call } from '../api.ts';
import { copyButton } from '../copy-button.ts';
import { dataTable } from '../data-table.ts';
import { counted, durationOf, momentOf, pretty, sizeText } from '../format.ts';
import { liveData } from '../live-data.ts';
import { actions } from '../run-action.ts';
import type { Answer, OpenedScreen, Screen } from '../screen.ts';

type Letter = Answer<typeof listDeadLetters>[number] & Partial<Pick<InspectedLetter, 'redrive'>>;
type InspectedLetter = NonNullable<Answer<typeof inspectDeadLetter>>;
type Change = (letter: Letter, redrive: boolean) => Promise<void>;

interface QueueStates {
  queues: Answer<typeof sqsQueues>;
  workQueues: Answer<typeof workQueues>;
  deadLetters: Letter[];
}

/** The queues, the work queues in the table, and the dead letters. */
export const queues: Screen = {
  title: 'Queues',
  open: ([source = '', id], update) => (id === undefined ? openList(update) : openLetter(source, id, update)),
};

async function openList(update: () => void): Promise<OpenedScreen> {
  const data = await liveData(() => call<QueueStates>('GET', 'queues'), update, ['activity']);
  const action = actions(update);
  const change: Change = (letter, redrive) => changeLetter(action, letter, redrive).then(data.refresh);
  const view = () => {
    const { queues: sqs, workQueues, deadLetters } = data.current;
    return html`<h1>Queues</h1>
      <section class="card">
        <h2>Dead letters</h2>
        <p class="note">Messages that failed five times, and records that the relay could not read. A redrive sends them again.</p>
        ${action.view()}
        ${deadLetters.length === 0 ? html`<p>There are no dead letters.</p>` : letterList(deadLetters, change)}
      </section>
      <section class="card">
        <h2>SQS queues</h2>
        ${dataTable(
          'SQS queues',
          ['Queue', 'Waiting', 'In flight', 'Delayed', 'Oldest message'],
          sqs.map(({ queue, visible, inFlight, delayed, oldestSeconds }) => [
            html`<code class="name">${queue}</code>`,
            visible,
            inFlight,
            delayed,
            oldestSeconds === undefined ? '' : durationOf(oldestSeconds * 1000),
          ]),
        )}
      </section>
      <section class="card">
        <h2>Work queues in the table</h2>
        ${dataTable(
          'Work queues',
          ['Account', 'Work queue', 'Waiting', 'Oldest item', 'Next attempt', 'State'],
          workQueues.map(workQueueRow),
        )}
      </section>`;
  };
  return { view, close: data.close };
}

const letterList = (letters: Letter[], change: Change) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="Dead letters"><table>
    <thead><tr><th>Source</th><th>Message</th><th>Since</th><th>Event</th><th>Size</th><th>Actions</th></tr></thead>
    <tbody>${repeat(
      letters,
      ({ source, id }) => `${source}/${id}`,
      (letter) => html`<tr>
        <td><code>${letter.source}</code></td>
        <td><a href="#/queues/${letter.source}/${encodeURIComponent(letter.id)}"><code>${letter.id}</code></a></td>
        <td class="time">${momentOf(letter.since)}</td>
        <td>${letter.event ? html`${letter.event.kind}` : 'no event'}</td>
        <td class="number">${sizeText(letter.size)}</td>
        <td class="number">${letterButtons(letter, change)}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;

const letterButtons = (letter: Letter, change: Change) =>
  letter.redriven
    ? html`<span class="state-warning">being redriven</span>`
    : html`${!letter.redrive || !('error' in letter.redrive) ? html`<button type="button" class="small" aria-label=${`Redrive ${letter.id}`} @click=${() => change(letter, true)}>Redrive</button>` : nothing}
        <button type="button" class="small" aria-label=${`Delete ${letter.id}`} @click=${() => change(letter, false)}>Delete</button>`;

const pathOf = ({ source, id }: { source: string; id: string }): string =>
  `dead-letters/${source}/${encodeURIComponent(id)}`;

async function changeLetter(
  action: ReturnType<typeof actions>,
  letter: Letter,
  redrive: boolean,
): Promise<void> {
  if (redrive)
    await action.run(
      () => call('POST', `${pathOf(letter)}/redrive`),
      'The service sends the dead letter again.',
    );
  else if (confirm('Delete this dead letter? Its message is lost.'))
    await action.run(() => call('DELETE', pathOf(letter)), 'The dead letter was deleted.');
}

function workQueueRow({
  account,
  name,
  url,
  waiting,
  oldestWaitingAt,
  nextAttemptAt,
  pausedUntil,
  running,
  failures,
}: QueueStates['workQueues'][number]) {
  const state = running
    ? html`<span class="state-ok">running</span>`
    : failures > 0
      ? html`<span class="state-warning">${counted(failures, 'failure')} in a row</span>`
      : 'idle';
  return [
    html`<code>${account}</code>`,
    url === undefined ? html`<code class="name">${name}</code>` : html`webhook <code>${url}</code>`,
    waiting,
    oldestWaitingAt ? html`<span class="time">${momentOf(oldestWaitingAt)}</span>` : '',
    nextAttemptAt ? html`<span class="time">${momentOf(nextAttemptAt)}</span>` : '',
    html`${state}${pausedUntil ? html` <span class="state-error">paused until ${momentOf(pausedUntil)}</span>` : nothing}`,
  ];
}

async function openLetter(source: string, id: string, update: () => void): Promise<OpenedScreen> {
  const letter = await call<InspectedLetter>('GET', pathOf({ source, id }));
  let isGone = false;
  const action = actions(update);
  const change: Change = async (_, redrive) => {
    await changeLetter(action, letter, redrive);
    await call('GET', pathOf(letter)).catch(() => {
      isGone = true;
    });
    update();
  };
  const view = () => html`<p class="crumb"><a href="#/queues">Queues</a></p>
    <h1>Dead letter of ${source}</h1>
    <dl class="pairs">
      <dt>Message</dt><dd><code>${id}</code></dd>
      <dt>Since</dt><dd>${momentOf(letter.since)}</dd>
      ${letter.event ? html`<dt>Event</dt><dd>${letterEvent(letter.event)}</dd>` : nothing}
      <dt>A redrive</dt><dd>${redriveOf(letter.redrive)}</dd>
    </dl>
    ${action.view()}
    ${isGone ? html`<p>This dead letter no longer exists.</p>` : html`<p>${letterButtons(letter, change)} ${copyButton('the body', letter.body)}</p>`}
    <section class="card"><h2>Body</h2>
      <pre tabindex="0" role="region" aria-label="Body"><code>${pretty(letter.body)}</code></pre></section>`;
  return { view };
}

const letterEvent = ({ kind, id, account }: NonNullable<Letter['event']>) =>
  html`<a href="#/activity/event/${account}/${id}">${kind}</a> <code>${id}</code>`;

function redriveOf(redrive: InspectedLetter['redrive']) {
  if ('error' in redrive) return html`<span class="state-error">is not possible: ${redrive.error}</span>`;
  return redrive.queues.length === 0
    ? 'drops the message, because it is a health check'
    : `sends messages to ${redrive.queues.join(', ')}`;
}
