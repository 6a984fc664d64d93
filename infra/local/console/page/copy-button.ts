import { html } from 'lit-html';

/** A button that copies a text. `name` completes the label, for example `Copy API key`. */
export const copyButton = (name: string, text: string) =>
  html`<button type="button" class="small" aria-label=${`Copy ${name}`} @click=${(event: Event) => copy(event.currentTarget as HTMLButtonElement, text)}>Copy</button>`;

async function copy(button: HTMLButtonElement, text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
}
