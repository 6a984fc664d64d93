import { html, nothing } from 'lit-html';
import type { TableCallItem } from '../../invocation.ts';

/** The action of a call, with the key of the item or the range of the query. */
export const itemKeyView = ({ action, index, pk, sk }: TableCallItem) =>
  html`<code class="action">${action}${index ? ` ${index}` : ''}</code> <code>${pk}</code> ${sk ? html`<code>${sk}</code>` : nothing}`;

export const isWrite = ({ action }: TableCallItem): boolean => ['put', 'update', 'delete'].includes(action);

/** The written items, with the names of the written attributes. */
export const listOfWrites = (items: readonly TableCallItem[]) =>
  html`<ul class="plain-list keys">${items.map(
    (item) =>
      html`<li>${itemKeyView(item)}${item.attributes?.length ? html`<br><small>${item.attributes.join(', ')}</small>` : nothing}</li>`,
  )}</ul>`;
