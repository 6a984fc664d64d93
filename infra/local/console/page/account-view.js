import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from './api.js';
import { changeableData } from './changeable-data.js';
import { optionalTime } from './delivery-view.js';
import { countOf, limitsOf } from './format.js';
import { submitTo } from './submit-form.js';

/** Opens the settings of an account, its deletion, its permissions and the numbers of its records. */
export async function openAccount(id, update) {
  const path = `accounts/${encodeURIComponent(id)}`;
  const { data, change, outcome } = await changeableData(() => call('GET', path), update);
  return {
    view: () => {
      const { account, type, counts, closing } = data.current;
      return html`<p class="crumb"><a href="#/accounts">Accounts</a></p>
        <h1>${account.name.trim() || account.id}</h1>
        ${settingsView(account, type)}
        ${outcome()}
        <section class="card"><h2>Deletion</h2>${closing ? closingView(account, closing, () => change('POST', `${path}/reopen`, undefined, 'The account is open again. Its work continues within 15 minutes.')) : closeForm(account, (confirmName) => change('POST', `${path}/close`, { confirmName }, 'The account is closed. Its export is being written.'))}</section>
        <section class="card"><h2>Permissions</h2>${permissionsView(account, type, (permissions) => change('PUT', `${path}/permissions`, { permissions }, 'The permissions are set. They have effect at once.'))}</section>
        <section class="card"><h2>Records</h2>
          <p>${Object.entries(counts)
            .map(([nouns, count]) => countOf(count, nouns.slice(0, -1)))
            .join(', ')}</p></section>`;
    },
    close: data.close,
  };
}

const settingsView = (
  { id, status, parentAccountId, level, limits, createdAt },
  type,
) => html`<dl class="pairs">
    <dt>Id</dt><dd><code>${id}</code></dd>
    <dt>Status</dt><dd><span class=${status === 'active' ? 'state-ok' : 'state-error'}>${status}</span></dd>
    <dt>Parent</dt><dd>${parentAccountId ? html`<a href="#/accounts/${parentAccountId}">${parentAccountId}</a>` : 'none, created by an operator'}</dd>
    <dt>Level</dt><dd>${level} of 3</dd>
    <dt>Type</dt><dd>${type?.name ?? 'none'}</dd>
    <dt>Limits</dt><dd>${limitsOf(limits)}</dd>
    <dt>Created</dt><dd>${optionalTime(createdAt)}</dd>
  </dl>`;

const onlyOthers = html`<p class="note">Only administrators of this account or of its parent can do this. The console acts as the administrator of the first account.</p>`;

const closingView = (
  { closedAt, erasesAt, isOwn, isChild },
  { closedBy, exported, records, due, erasureStartedAt },
  reopen,
) => html`<dl class="pairs">
    <dt>Deleted</dt><dd>${optionalTime(closedAt)} by <code>${closedBy}</code></dd>
    <dt>Export</dt><dd>${exported ? html`<span class="state-ok">ready</span>, ${countOf(records, 'record')}` : html`<span class="state-warning">is being written</span>`}</dd>
    <dt>Erasure</dt><dd>${erasureStartedAt ? html`<span class="state-error">started ${optionalTime(erasureStartedAt)}</span>` : html`begins ${optionalTime(erasesAt)}. Until then, the account can be reopened.`}</dd>
    <dt>Next step</dt><dd>${optionalTime(due)}, by the schedule <a href="#/schedules">account-closings</a></dd>
  </dl>
  ${isOwn || isChild ? html`<p><button type="button" @click=${reopen}>Reopen the account</button></p>` : onlyOthers}`;

const closeForm = ({ isOwn, isChild }, close) =>
  isOwn || isChild
    ? html`<p>The account is open. After its deletion, all its requests are rejected with <code>account_closed</code>${isOwn ? ', also those of this console' : nothing}. It can be reopened for 30 days.</p>
      <form class="filters" @submit=${submitTo(({ confirmName }) => close(confirmName))}>
        <label>Its name, as a confirmation <input name="confirmName" required autocomplete="off"></label>
        <button type="submit">Delete the account</button>
      </form>`
    : html`<p>The account is open.</p>${onlyOthers}`;

function permissionsView({ isChild, permissions }, type, set) {
  if (!isChild)
    return html`<p>${countOf(permissions.length, 'permission')}</p><p>${permissions.join(', ')}</p>`;
  const offered = [...new Set([...(type?.permissions ?? []), ...permissions])].sort();
  const submit = (_, form) => set(new FormData(form).getAll('permission'));
  return html`<p class="note">All users and API keys of the account lose other permissions at once. The list contains the permissions of the account type.</p>
    <form @submit=${submitTo(submit)}>
      <fieldset class="choices"><legend>The account can use</legend>${offered.map(
        (name) =>
          html`<label><input type="checkbox" name="permission" value=${name} .checked=${permissions.includes(name)}> ${name}</label>`,
      )}</fieldset>
      <button type="submit">Set the permissions</button>
    </form>`;
}
