import { html, nothing } from 'lit-html';
import type { LocalCredentials } from '../../../../administration/credentials.ts';
import type { DemoState } from '../../demo-data.ts';
import type { serviceState } from '../../service-state.ts';
import { call, onUpdate } from '../api.ts';
import { copyButton } from '../copy-button.ts';
import { dataTable } from '../data-table.ts';
import { durationOf, timeOf } from '../format.ts';
import type { Answer, Screen } from '../screen.ts';

type State = Answer<typeof serviceState>;
type ShowDemo = (next: DemoState) => void;

const names: Record<keyof LocalCredentials, string> = {
  baseUrl: 'Address',
  accountId: 'Account',
  adminEmail: 'Administrator',
  adminPassword: 'Password',
  apiKey: 'API key',
  apiSecret: 'API secret',
};

/** In milliseconds. */
const refreshEvery = 2000;

/** The credentials, the commands to sign in, and the state of all parts of the service. */
export const home: Screen = {
  title: 'Home',
  async open(_, update) {
    const [{ credentials, dataFolder }, ...loaded] = await Promise.all([
      call<{ credentials: LocalCredentials; dataFolder: string }>('GET', 'home'),
      call<State>('GET', 'state'),
      call<DemoState>('GET', 'demo-data'),
    ]);
    let [state, demo] = loaded;
    const showDemo: ShowDemo = (next) => {
      demo = next;
      update();
    };
    const end = onUpdate('demo', showDemo);
    let isLoading = false;
    const timer = setInterval(async () => {
      if (document.hidden || isLoading) return;
      isLoading = true;
      // If the service does not respond, the page shows this in its header.
      state = await call<State>('GET', 'state').catch(() => state);
      isLoading = false;
      update();
    }, refreshEvery);
    return {
      view: () => html`<h1>Local service</h1>
        ${credentialsView(credentials, dataFolder)} ${signInView(credentials)} ${demoView(demo, showDemo)}
        ${stateView(state)}`,
      close() {
        end();
        clearInterval(timer);
      },
    };
  },
};

const credentialsView = (credentials: LocalCredentials, dataFolder: string) => html`<section class="card">
  <h2>Credentials</h2>
  <dl class="pairs">
    ${(Object.keys(names) as (keyof LocalCredentials)[]).map(
      (field) =>
        html`<dt>${names[field]}</dt><dd><code>${credentials[field]}</code> ${copyButton(names[field], credentials[field])}</dd>`,
    )}
    <dt>Data</dt><dd><code>${dataFolder}</code></dd>
  </dl>
</section>`;

function signInView({ baseUrl, apiKey, apiSecret, adminEmail, adminPassword, accountId }: LocalCredentials) {
  const commandFor = (body: object) =>
    `curl -s ${baseUrl}/auth/login -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const asKey = commandFor({ apiKey, apiSecret });
  const asUser = commandFor({ email: adminEmail, password: adminPassword });
  return html`<section class="card">
    <h2>Sign in</h2>
    <h3>With the API key</h3>
    ${command('the command for the API key', asKey)}
    <h3>As the administrator</h3>
    ${command('the command for the administrator', asUser)}
    <p>The response contains a token. Send it with each request in the header <code>authorization: Bearer …</code>.
      As the administrator, also send the header <code>x-account-id: ${accountId}</code>.</p>
    <h3>In the API reference</h3>
    <p><a href="/docs">Open the API reference</a>, select “Sign in” and “an API key”, and paste the API key and its secret.</p>
  </section>`;
}

const command = (
  name: string,
  text: string,
) => html`<pre tabindex="0" role="region" aria-label=${name}><code>${text}</code></pre>
  <p>${copyButton(name, text)}</p>`;

const demoView = (demo: DemoState, show: ShowDemo) => html`<section class="card">
  <h2>Demo data</h2>
  <p>Creates a small company through the API: users, teams, leads, applications, merchants, invoices, tickets, webhooks, and a
    connection to the simulated partner, which <code>npm run partner</code> starts. The account also captures the bodies of
    changes for 14 days.
    Records that exist already are not created again.</p>
  <p><button type="button" aria-disabled=${demo.status === 'running'} @click=${() => load(demo, show)}>Load demo data</button></p>
  ${demo.status === 'running' ? html`<p><progress aria-label="Demo data" max=${demo.total} value=${demo.done}></progress> ${demo.done} of ${demo.total} records, now ${demo.step}</p>` : nothing}
  <p role="status">${demoText(demo)}</p>
</section>`;

// The button has `aria-disabled` instead of `disabled`, so that it keeps the focus while the data is created.
async function load(demo: DemoState, show: ShowDemo): Promise<void> {
  if (demo.status === 'running') return;
  try {
    show(await call<DemoState>('POST', 'demo-data'));
  } catch (error) {
    show({ status: 'failed', message: (error as Error).message });
  }
}

function demoText(demo: DemoState): string {
  if (demo.status === 'none') return '';
  if (demo.status === 'running') return 'Creating the demo data.';
  if (demo.status === 'failed') return `Not all demo data was created: ${demo.message}`;
  const counts = Object.entries(demo.created).map(([path, count]) => `${count} ${path}`);
  return counts.length === 0 ? 'The demo data exists already.' : `Created ${counts.join(', ')}.`;
}

const stateView = ({ engines, lagSeconds, queues, workQueues, deadLetters, seals }: State) => html`
  <section class="card">
    <h2>Engines</h2>
    ${dataTable(
      'Engines',
      ['Engine', 'Address', 'State'],
      engines.map(({ name, address, milliseconds, error }) => [
        name,
        html`<code>${address}</code>`,
        milliseconds === undefined
          ? html`<span class="state-error">${error}</span>`
          : html`<span class="state-ok">responds in ${durationOf(milliseconds)}</span>`,
      ]),
    )}
  </section>
  <section class="card">
    <h2>Events</h2>
    <dl class="pairs">
      <dt>Stream lag</dt>
      <dd>${
        lagSeconds === undefined
          ? html`<span class="state-ok">all events are processed</span>`
          : html`<span class=${lagSeconds > 60 ? 'state-error' : 'state-warning'}>the oldest unprocessed event is ${secondsOf(lagSeconds)} old</span>`
      }</dd>
      <dt>Dead letters</dt><dd>${deadLettersOf(deadLetters)}</dd>
      ${seals.map(
        ({
          account,
          number,
          to,
          nextAt,
        }) => html`<dt>Last seal${seals.length > 1 ? html` of <code>${account}</code>` : nothing}</dt>
          <dd>${number === undefined || to === undefined ? 'none yet' : `number ${number}, for all events before ${timeOf(to)}`}; an event that occurs now will be sealed at ${timeOf(nextAt)}</dd>`,
      )}
    </dl>
    <h3>Queues</h3>
    ${dataTable(
      'Queues',
      ['Queue', 'Waiting', 'In flight', 'Delayed', 'Oldest'],
      queues.map(({ queue, visible, inFlight, delayed, oldestSeconds }) => [
        html`<code>${queue}</code>`,
        ...[visible, inFlight, delayed],
        oldestSeconds === undefined ? '' : secondsOf(oldestSeconds),
      ]),
    )}
    <h3>Work queues</h3>
    ${dataTable(
      'Work queues',
      ['Work queue', 'Waiting', 'Next attempt', 'State'],
      workQueues.map(({ name, url, waiting, nextAttemptAt, pausedUntil, running, failures }) => [
        url === undefined ? html`<code>${name}</code>` : html`webhook <code>${url}</code>`,
        waiting,
        nextAttemptAt === undefined ? '' : timeOf(nextAttemptAt),
        workQueueState({ pausedUntil, running, failures }),
      ]),
    )}
  </section>`;

function deadLettersOf(sources: State['deadLetters']) {
  const found = sources.filter(({ messages }) => messages > 0);
  if (found.length === 0) return html`<span class="state-ok">none</span>`;
  return html`<span class="state-error">${found.map(({ source, messages }) => `${source}: ${messages}`).join(', ')}</span>`;
}

function workQueueState({
  pausedUntil,
  running,
  failures,
}: Pick<State['workQueues'][number], 'pausedUntil' | 'running' | 'failures'>) {
  if (pausedUntil) return html`<span class="state-error">paused until ${timeOf(pausedUntil)}</span>`;
  if (failures > 0) return html`<span class="state-warning">${failures} consecutive failures</span>`;
  return html`<span class="state-ok">${running ? 'running' : 'idle'}</span>`;
}

const secondsOf = (seconds: number): string => durationOf(seconds * 1000);
