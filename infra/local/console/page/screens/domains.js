import { repeat } from '/_local/lit-html/directives/repeat.js';
import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { changeableData } from '../changeable-data.js';
import { copyButton } from '../copy-button.js';
import { optionalTime } from '../delivery-view.js';
import { submitTo } from '../submit-form.js';

/** The vanity domains of the account, with the records that their owner creates, and the results of their checks. */
export const domains = {
  title: 'Domains',
  async open(_, update) {
    const { data, change, outcome } = await changeableData(() => call('GET', 'domains'), update);
    // The outcome is shown at the domain that the developer changed last, or below the form.
    let changed;
    const changeDomain = (id, method, path, done) => {
      changed = id;
      change(method, `domains/${path}`, undefined, done);
    };
    const request = ({ domain }, form) => {
      changed = undefined;
      change('POST', 'domains', { domain }, () => {
        form.reset();
        return 'The domain is requested. Next, create its TXT record.';
      });
    };
    const outcomeAt = (id) => (data.current.some((one) => one.id === changed) ? changed : undefined) === id;
    return {
      view: () => html`<h1>Domains</h1>
        <p>An active vanity domain replaces the host in links of the account. The service reads the TXT record from the name
          servers of the domain, and the file from the domain itself. Both need public addresses.</p>
        <form class="filters" @submit=${submitTo(request)}>
          <label>Domain <input name="domain" required placeholder="pay.your-company.com"></label>
          <button type="submit">Request</button>
        </form>
        ${outcomeAt(undefined) ? outcome() : nothing}
        ${data.current.length === 0 ? html`<p>The account has no vanity domains.</p>` : nothing}
        ${repeat(
          data.current,
          ({ id }) => id,
          (one) => html`<section class="card"><h2>${one.unicodeDomain}</h2>
            ${domainView(one, changeDomain)}${outcomeAt(one.id) ? outcome() : nothing}</section>`,
        )}`,
      close: data.close,
    };
  },
};

const states = { validated: 'state-ok', active: 'state-ok', deactivated: 'state-error' };
const reasons = {
  taken_over: 'another account proved that it controls the domain',
  proof_missing: 'the checks failed for 72 hours',
};

function domainView({ id, domain, unicodeDomain, status, txtRecord, webFile, proof, ...more }, change) {
  const step = (name, done) =>
    html`<button type="button" aria-label=${`${name} ${domain}`} @click=${() => change(id, 'POST', `${id}/${name.toLowerCase()}`, done)}>${name}</button>`;
  const remove = () => {
    if (confirm(`Delete ${domain}? Links of the account no longer contain it.`))
      change(id, 'DELETE', id, 'The domain was deleted.');
  };
  return html`<dl class="pairs">
      ${unicodeDomain === domain ? nothing : html`<dt>In Punycode</dt><dd><code>${domain}</code></dd>`}
      <dt>State</dt><dd><span class=${states[status] ?? 'state-warning'}>${status}</span>${more.deactivationReason ? html`: ${reasons[more.deactivationReason]}` : nothing}</dd>
      ${copied('TXT record', `the name of the TXT record of ${domain}`, txtRecord.name)}
      ${copied('Its value', `the challenge of ${domain}`, txtRecord.value)}
      ${copied('File', `the address of the file of ${domain}`, webFile.url)}
      ${copied('Its content', `the content of the file of ${domain}`, webFile.content)}
      <dt>Validated</dt><dd>${optionalTime(more.validatedAt) || 'never'}</dd>
      <dt>Activated</dt><dd>${optionalTime(more.activatedAt) || 'never'}</dd>
      <dt>Last check</dt><dd>${checkView(proof)}</dd>
    </dl>
    <p>${step('Validate', 'The domain is validated.')}
      ${step('Activate', 'The domain is active. Links of the account contain it.')}
      <button type="button" aria-label=${`Delete ${domain}`} @click=${remove}>Delete</button></p>`;
}

const copied = (label, name, text) =>
  html`<dt>${label}</dt><dd><code>${text}</code> ${copyButton(name, text)}</dd>`;

function checkView({ lastCheckedAt, lastProvedAt, lastFailure }) {
  if (!lastCheckedAt) return 'not yet. The service checks active domains every day.';
  return html`${optionalTime(lastCheckedAt)}: ${
    lastFailure
      ? html`<span class="state-error">${lastFailure}</span> Last success: ${optionalTime(lastProvedAt) || 'never'}`
      : html`<span class="state-ok">succeeded</span>`
  }`;
}
