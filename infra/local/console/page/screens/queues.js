import { repeat } from '/_local/lit-html/directives/repeat.js';
import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { copyButton } from '../copy-button.js';
import { dataTable } from '../data-table.js';
import { countOf, durationOf, momentOf, pretty, sizeOf } from '../format.js';
import { liveData } from '../live-data.js';
import { actions } from '../run-action.js';

/** The queues, the work queues in the table, and the dead letters. */
export const queues = {
  title: 'Queues',
  open: ([source, id], update) => (id === undefined ? openList(update) : openLetter(source, id, update)),
};

async function openList(update) {
  const data = await liveData(() => call('GET', 'queues'), update, ['activity']);
  const action = actions(update);
  const change = (letter, redrive) => changeLetter(action, letter, redrive).then(data.refresh);
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

const letterList = (letters, change) =>
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
        <td class="number">${sizeOf(letter.size)}</td>
        <td class="number">${letterButtons(letter, change)}</td>
      </tr>`,
    )}</tbody>
  </table></div>`;

const letterButtons = (letter, change) =>
  letter.redriven
    ? html`<span class="state-warning">being redriven</span>`
    : html`${letter.redrive?.error === undefined ? html`<button type="button" class="small" aria-label=${`Redrive ${letter.id}`} @click=${() => change(letter, true)}>Redrive</button>` : nothing}
        <button type="button" class="small" aria-label=${`Delete ${letter.id}`} @click=${() => change(letter, false)}>Delete</button>`;

const pathOf = ({ source, id }) => `dead-letters/${source}/${encodeURIComponent(id)}`;

async function changeLetter(action, letter, redrive) {
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
}) {
  const state = running
    ? html`<span class="state-ok">running</span>`
    : failures > 0
      ? html`<span class="state-warning">${countOf(failures, 'failure')} in a row</span>`
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

async function openLetter(source, id, update) {
  const letter = await call('GET', pathOf({ source, id }));
  const action = actions(update);
  const change = async (_, redrive) => {
    await changeLetter(action, letter, redrive);
    await call('GET', pathOf(letter)).catch(() => {
      letter.gone = true;
    });
    update();
  };
  const view = () => html`<p class="crumb"><a href="#/queues">Queues</a></p>
    <h1>Dead letter of ${source}</h1>
    <dl class="pairs">
      <dt>Message</dt><dd><code>${id}</code></dd>
      <dt>Since</dt><dd>${momentOf(letter.since)}</dd>
      ${letter.event ? html`<dt>Event</dt><dd>${eventLink(letter.event)}</dd>` : nothing}
      <dt>A redrive</dt><dd>${redriveOf(letter.redrive)}</dd>
    </dl>
    ${action.view()}
    ${letter.gone ? html`<p>This dead letter no longer exists.</p>` : html`<p>${letterButtons(letter, change)} ${copyButton('the body', letter.body)}</p>`}
    <section class="card"><h2>Body</h2>
      <pre tabindex="0" role="region" aria-label="Body"><code>${pretty(letter.body)}</code></pre></section>`;
  return { view };
}

const eventLink = ({ kind, id, account }) =>
  html`<a href="#/activity/event/${account}/${id}">${kind}</a> <code>${id}</code>`;

function redriveOf({ queues: names, error }) {
  if (error !== undefined) return html`<span class="state-error">is not possible: ${error}</span>`;
  return names.length === 0
    ? 'drops the message, because it is a health check'
    : `sends messages to ${names.join(', ')}`;
}
