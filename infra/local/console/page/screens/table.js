import { html, nothing } from '/_local/lit-html/lit-html.js';
import { call } from '../api.js';
import { copyButton } from '../copy-button.js';
import { dataTable } from '../data-table.js';
import { countOf, sizeOf } from '../format.js';

/** The items of the table by access pattern. */
export const table = {
  title: 'Table',
  open([kind, ...rest], update) {
    if (kind === 'items') return openItems(rest, update);
    if (kind === 'item') return openItem(rest);
    return openPatterns(update);
  },
};

// The chosen account stays the same while the page is open.
let account;
let chosen = 0;

const itemsAddress = ({ index = '-', partition, prefix }) =>
  `#/table/items/${[index, partition, ...(prefix ? [prefix] : [])].map(encodeURIComponent).join('/')}`;
const itemAddress = ({ pk, sk }) => `#/table/item/${encodeURIComponent(pk)}/${encodeURIComponent(sk)}`;

async function openPatterns(update) {
  const { accounts, patterns } = await call('GET', 'table');
  account ??= accounts[0]?.account;
  let nouns = await call('GET', `table/accounts/${account}`);
  const chooseAccount = async (event) => {
    account = event.target.value;
    nouns = await call('GET', `table/accounts/${account}`);
    update();
  };
  const choosePattern = (event) => {
    chosen = Number(event.target.value);
    update();
  };
  const show = (event) => {
    event.preventDefault();
    const values = new FormData(event.target);
    const { index, partition, shared } = patterns[chosen];
    const parts = partition.map((part, n) => (isVariable(part) ? keyText(values.get(`part${n}`)) : part));
    const name = [...(shared ? [] : ['ACCOUNT', account]), ...parts].join('#');
    location.hash = itemsAddress({ index, partition: name, prefix: values.get('prefix') });
  };
  return {
    view: () => html`<h1>Table</h1>
      <form class="filters" @submit=${(event) => event.preventDefault()}>
        <label>Account <select @change=${chooseAccount}>${accounts.map(
          (one) =>
            html`<option value=${one.account} ?selected=${one.account === account}>${one.name} (${one.account})</option>`,
        )}</select></label>
      </form>
      <section class="card"><h2>Records</h2>
        ${
          nouns.length === 0
            ? html`<p>The account has no records.</p>`
            : html`<ul class="nouns">${nouns.map(
                ({ noun, count }) =>
                  html`<li><a href=${itemsAddress({ index: 'list', partition: `ACCOUNT#${account}#${noun}` })}>${noun}</a> <span class="number">${count}</span></li>`,
              )}</ul>`
        }
        <p><a href=${itemsAddress({ partition: `ACCOUNT#${account}#EVENT` })}>EVENT</a>: the event log</p>
      </section>
      <section class="card"><h2>Access patterns</h2>
        ${patternForm(patterns, { nouns, choosePattern, show })}
      </section>`,
  };
}

function patternForm(patterns, { nouns, choosePattern, show }) {
  const pattern = patterns[chosen];
  return html`<form class="filters" @submit=${show}>
      <label>Read <select @change=${choosePattern}>${patterns.map(
        (one, n) =>
          html`<option value=${n} ?selected=${n === chosen}>${one.read}${patterns.filter(({ read }) => read === one.read).length > 1 ? ` (${one.partition.join('#')})` : ''}</option>`,
      )}</select></label>
      ${pattern.partition.map((part, n) => (isVariable(part) ? variableInput(part, n, nouns) : nothing))}
      <label>Sort key starts with <input name="prefix"></label>
      <button type="submit">Show items</button>
    </form>
    <dl class="pairs">
      <dt>Partition</dt><dd><code>${[...(pattern.shared ? [] : ['ACCOUNT', account]), ...pattern.partition].join('#')}</code>${pattern.index ? html` in the index <code>${pattern.index}</code>` : nothing}</dd>
      <dt>Sort key</dt><dd><code>${pattern.sortKey}</code></dd>
      <dt>Code</dt><dd><code>${pattern.code}</code></dd>
    </dl>`;
}

const variableInput = (part, n, nouns) =>
  part === 'NOUN'
    ? html`<label>${part} <select name="part${n}">${nouns.map(({ noun }) => html`<option>${noun}</option>`)}</select></label>`
    : html`<label>${part} <input name="part${n}" required></label>`;

/** Reports whether a part of an access pattern's partition is a variable. */
const isVariable = (part) => ['NOUN', 'KIND'].includes(part) || !/^([A-Z_]+|\d)$/.test(part);

/** In keys, numeric ids are padded with leading zeros to 16 digits. */
const keyText = (text) => (/^\d{1,15}$/.test(text) ? text.padStart(16, '0') : text);

async function openItems([index, partition, prefix = ''], update) {
  const query = (after) => {
    const given = { ...(index !== '-' && { index }), partition, prefix, after, newestFirst };
    return new URLSearchParams(
      Object.entries(given).filter(([, value]) => value !== undefined && value !== ''),
    );
  };
  let newestFirst = index !== '-' || partition.endsWith('#EVENT');
  let page;
  let items = [];
  const load = async (after) => {
    page = await call('GET', `table/items?${query(after)}`);
    items = after ? [...items, ...page.items] : page.items;
  };
  await load();
  const more = async () => {
    await load(page.next);
    update();
  };
  const turn = async (event) => {
    newestFirst = event.target.checked;
    await load();
    update();
  };
  return {
    view: () => html`<p class="crumb"><a href="#/table">Table</a></p>
      <h1>Items</h1>
      <dl class="pairs">
        <dt>Partition</dt><dd><code>${partition}</code>${index === '-' ? nothing : html` in the index <code>${index}</code>`}</dd>
        ${prefix ? html`<dt>Sort key</dt><dd>starts with <code>${prefix}</code></dd>` : nothing}
      </dl>
      <p><label><input type="checkbox" .checked=${newestFirst} @change=${turn}> Highest sort key first</label></p>
      ${
        items.length === 0
          ? html`<p>This partition has no items.</p>`
          : dataTable(
              'Items',
              ['Sort key', 'Type', 'Size', 'Attributes'],
              items.map((item) => [
                html`<a href=${itemAddress(item)}><code>${index === '-' ? item.sk : `${item.pk.split('#').slice(2).join('#')} ${item.sk}`}</code></a>`,
                html`${item.type ?? ''}${item.expired ? html` <span class="state-warning">expired</span>` : nothing}`,
                html`<span class="number">${sizeOf(item.size)}</span>`,
                html`<small>${item.preview}</small>`,
              ]),
            )
      }
      <p role="status">${countOf(items.length, 'item')}${page.next ? ', and more' : ''}</p>
      ${page.next ? html`<p><button type="button" @click=${more}>Show more</button></p>` : nothing}`,
  };
}

async function openItem([pk, sk]) {
  const query = new URLSearchParams({ pk, sk });
  const item = await call('GET', `table/item?${query}`);
  return {
    view: () => html`<p class="crumb"><a href="#/table">Table</a> · <a href=${itemsAddress({ partition: pk })}>the item’s partition</a></p>
      <h1>${item.type ?? 'Item'}</h1>
      <dl class="pairs">
        <dt>Partition</dt><dd><code>${pk}</code> ${copyButton('the partition key', pk)}</dd>
        <dt>Sort key</dt><dd><code>${sk}</code> ${copyButton('the sort key', sk)}</dd>
        <dt>Size</dt><dd>${sizeOf(item.size)}</dd>
        ${item.indexes.map(
          ({ index, pk: key, sk: sort }) =>
            html`<dt>Index <code>${index}</code></dt><dd><code>${key}</code> <code>${sort}</code></dd>`,
        )}
      </dl>
      <section class="card"><h2>Follow</h2><ul>${item.partitions.map(
        (one) => html`<li><a href=${itemsAddress(one)}>${one.label}</a> <code>${one.partition}</code></li>`,
      )}</ul></section>
      <section class="card"><h2>Attributes</h2>
        ${dataTable(
          'Attributes',
          ['Attribute', 'Value', 'Size'],
          item.attributes.map((attribute) => [
            html`<code>${attribute.name}</code>`,
            html`${shownValue(attribute)}${linksOf(item.links, attribute.name)}`,
            html`<span class="number">${sizeOf(attribute.size)}</span>`,
          ]),
        )}
      </section>`,
  };
}

function shownValue({ value, hidden, name }) {
  if (hidden) return html`<i>secret, not shown</i>`;
  if (typeof value === 'object' && value !== null)
    return html`<details><summary>${Array.isArray(value) ? `list of ${value.length}` : `map of ${Object.keys(value).length}`}</summary>
      <pre class="wrapped" tabindex="0" role="region" aria-label=${name}><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
  return html`<code>${String(value)}</code>`;
}

const linksOf = (links, name) =>
  links
    .filter(({ attribute }) => attribute === name || attribute.startsWith(`${name}.`))
    .map(
      (link) =>
        html`<br><a href=${itemAddress(link)}>${link.attribute === name ? '' : `${link.attribute}: `}${link.pk.split('#').slice(-2).join('#')} ${link.sk}</a>`,
    );
