import { html } from '/_local/lit-html/lit-html.js';

/** A button that copies a text. `name` completes the label, for example `Copy API key`. */
export const copyButton = (name, text) =>
  html`<button type="button" class="small" aria-label=${`Copy ${name}`} @click=${(event) => copy(event.currentTarget, text)}>Copy</button>`;

async function copy(button, text) {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}
