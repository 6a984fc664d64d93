import { html, nothing } from '/_local/lit-html/lit-html.js';

/** The action of a call, with the key of the item or the range of the query. */
export const keyOf = ({ action, index, pk, sk }) =>
  html`<code class="action">${action}${index ? ` ${index}` : ''}</code> <code>${pk}</code> ${sk ? html`<code>${sk}</code>` : nothing}`;

export const isWrite = ({ action }) => ['put', 'update', 'delete'].includes(action);

/** The written items, with the names of the written attributes. */
export const listOfWrites = (items) =>
  html`<ul class="plain-list keys">${items.map(
    (item) =>
      html`<li>${keyOf(item)}${item.attributes?.length ? html`<br><small>${item.attributes.join(', ')}</small>` : nothing}</li>`,
  )}</ul>`;
