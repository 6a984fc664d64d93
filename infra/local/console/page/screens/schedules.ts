import { html } from 'lit-html';
import type { ScheduleClock } from '../../../schedule-clock.ts';
import { call } from '../api.ts';
import { dataTable } from '../data-table.ts';
import { durationOf, momentOf } from '../format.ts';
import { liveData } from '../live-data.ts';
import { actions } from '../run-action.ts';
import type { Screen } from '../screen.ts';

type Schedule = ReturnType<ScheduleClock['states']>[number];
type Run = NonNullable<Schedule['lastRun']>;

/** The last run of each schedule, and a button that runs it now. */
export const schedules: Screen = {
  title: 'Schedules',
  async open(_, update) {
    const data = await liveData(() => call<Schedule[]>('GET', 'schedules'), update, ['activity']);
    const action = actions(update);
    const runNow = (name: string) =>
      action.run(
        () => call<Run>('POST', `schedules/${name}/run`),
        ({ milliseconds, error }) => {
          data.refresh();
          if (error === undefined) return `${name} ran for ${durationOf(milliseconds)} and succeeded.`;
          return `${name} failed: ${error}`;
        },
      );
    const row = ({ name, every, runningSince, lastRun }: Schedule) => [
      html`<code class="name">${name}</code>`,
      durationOf(every),
      lastRun ? html`<span class="time">${momentOf(lastRun.startedAt)}</span>` : 'not yet',
      lastRun ? html`<span class="number">${durationOf(lastRun.milliseconds)}</span>` : '',
      resultOf(runningSince, lastRun),
      html`<button type="button" class="small" aria-label=${`Run now: ${name}`} @click=${() => runNow(name)}>Run now</button>`,
    ];
    return {
      view: () => html`<h1>Schedules</h1>
        <p>A run never overlaps another run of the same schedule. “Run now” waits for the run in progress, if there is one.</p>
        ${action.view()}
        ${dataTable('Schedules', ['Schedule', 'Every', 'Last run', 'Duration', 'Result', 'Action'], data.current.map(row))}`,
      close: data.close,
    };
  },
};

function resultOf(runningSince: Schedule['runningSince'], lastRun: Schedule['lastRun']) {
  if (runningSince) return html`<span class="state-warning">running</span>`;
  if (!lastRun) return '';
  return lastRun.error === undefined
    ? html`<span class="state-ok">succeeded</span>`
    : html`<span class="state-error">${lastRun.error}</span>`;
}
