import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { dataTable } from '../data-table.js';
import { countOf, momentOf } from '../format.js';
import { liveData } from '../live-data.js';

/** The underwriting rules in the order in which they run, with their modes, tests and report. */
export const underwriting = {
  title: 'Underwriting',
  async open(_, update) {
    const data = await liveData(() => call('GET', 'underwriting'), update, ['activity']);
    return {
      view: () => {
        const { rules, report } = data.current;
        return html`<h1>Underwriting</h1>
          <section class="card"><h2>Rules</h2>
            <p class="note">The rules run in this order. The first live rule that applies acts. A shadow rule only records what it would have done.</p>
            ${rules.length === 0 ? html`<p>The account has no rules.</p>` : rulesView(rules)}
          </section>
          <section class="card"><h2>Last 30 days</h2>
            <p>${countOf(report.submissions, 'submission')}</p>
            ${report.data.length === 0 ? nothing : reportView(report.data)}
          </section>
          ${rules.length === 0 ? nothing : html`<section class="card"><h2>Definitions</h2>${rules.map(definitionView)}</section>`}`;
      },
      close: data.close,
    };
  },
};

const rulesView = (rules) =>
  dataTable(
    'Rules',
    ['Priority', 'Rule', 'Mode', 'Version', 'Action', 'Test of this version'],
    rules.map(({ priority, name, description, mode, ruleVersion, action, tested }) => [
      html`<span class="number">${priority}</span>`,
      html`${name}${description ? html`<br><small>${description}</small>` : nothing}`,
      html`<span class=${{ live: 'state-ok', shadow: 'state-warning' }[mode] ?? ''}>${mode}</span>`,
      ruleVersion,
      action.kind.replaceAll('_', ' '),
      tested
        ? html`<span class="time">${momentOf(tested.testedAt)}</span><br><small>${countOf(tested.applications, 'application')}, ${tested.decided} decided</small>`
        : 'not tested',
    ]),
  );

const reportView = (rows) =>
  dataTable(
    'Report',
    ['Rule', 'Version', 'Applied', 'Applied in shadow mode', 'Acted', 'Overruled'],
    rows.map(({ name, version, applied, shadow, acted, overruled }) => [
      name,
      version,
      applied,
      shadow,
      acted,
      html`<span class=${overruled > 0 ? 'state-warning' : ''}>${overruled}</span>`,
    ]),
  );

const definitionView = ({ name, when, action }) => html`<details><summary>${name}</summary>
  <pre class="wrapped" tabindex="0" role="region" aria-label=${`Definition of ${name}`}><code>${JSON.stringify({ when, action }, null, 2)}</code></pre></details>`;
