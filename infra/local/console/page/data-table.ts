import { html } from 'lit-html';

/** A table that scrolls on narrow screens. `rows` are lists of cells. */
export const dataTable = (name: string, headings: readonly unknown[], rows: readonly unknown[][]) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${name}><table>
    <thead><tr>${headings.map((heading) => html`<th>${heading}</th>`)}</tr></thead>
    <tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`;
