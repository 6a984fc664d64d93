import { html, nothing } from '/_local/lit-html/lit-html.js';
import { openAccount } from '../account-view.js';
import { call } from '../api.js';
import { dataTable } from '../data-table.js';
import { optionalTime } from '../delivery-view.js';
import { countOf, limitsOf } from '../format.js';
import { liveData } from '../live-data.js';

/** The accounts in the order of their tree, the types of child accounts, and the erased accounts. */
export const accounts = {
  title: 'Accounts',
  open: ([id], update) => (id === undefined ? openTree(update) : openAccount(id, update)),
};

async function openTree(update) {
  const data = await liveData(() => call('GET', 'accounts'), update, ['activity']);
  return {
    view: () => {
      const { accounts: all, total, types, erased } = data.current;
      return html`<h1>Accounts</h1>
        <section class="card"><h2>Tree of accounts</h2>
          <p class="note"><code>POST /accounts</code> creates a child account with an account type, and invites its administrator by mail. The demo data contains the account of an agent.</p>
          ${treeView(all)}
          ${total > all.length ? html`<p class="note">The first ${all.length} of ${total} accounts.</p>` : nothing}
        </section>
        <section class="card"><h2>Account types</h2>${typesView(types)}</section>
        ${erased.length === 0 ? nothing : html`<section class="card"><h2>Erased accounts</h2>${erasedView(erased)}</section>`}`;
    },
    close: data.close,
  };
}

const treeView = (all) =>
  dataTable(
    'Accounts',
    ['Account', 'Id', 'Status', 'Type', 'Permissions', 'Erasure'],
    all.map(({ id, name, level, isOwn, status, typeName, permissions, erasesAt }) => [
      html`<span class="level-${level}"><a href="#/accounts/${id}">${name.trim() || id}</a>${isOwn ? html` <small>this account</small>` : nothing}</span>`,
      html`<code class="name">${id}</code>`,
      html`<span class=${status === 'active' ? 'state-ok' : 'state-error'}>${status}</span>`,
      typeName ?? 'none',
      html`<span class="number">${permissions.length}</span>`,
      optionalTime(erasesAt),
    ]),
  );

const typesView = (types) =>
  types.length === 0
    ? html`<p>The account has no account types. <code>POST /account-types</code> creates one.</p>`
    : dataTable(
        'Account types',
        ['Type', 'Permissions', 'Limits'],
        types.map(({ name, permissions, limits }) => [
          name,
          html`<details><summary>${countOf(permissions.length, 'permission')}</summary>${permissions.join(', ')}</details>`,
          limitsOf(limits),
        ]),
      );

const erasedView = (erased) =>
  dataTable(
    'Erased accounts',
    ['Account', 'Id', 'Deleted', 'Erased', 'Removed items', 'Final check'],
    erased.map(({ id, name, closedAt, erasedAt, items, complete }) => [
      name,
      html`<code class="name">${id}</code>`,
      optionalTime(closedAt),
      optionalTime(erasedAt),
      html`<span class="number">${items}</span>`,
      complete
        ? html`<span class="state-ok">nothing is left</span>`
        : html`<span class="state-error">something is left</span>`,
    ]),
  );
