import { html, nothing, render } from 'lit-html';
import { submitTo } from './submit-form.ts';

/** Users who sign in to the console have no passkeys, and use no identity provider. */
export type EnteredProof = 'code' | 'password';

const labels: Readonly<Record<EnteredProof, string>> = {
  code: 'Code of the second factor',
  password: 'Password',
};

interface Question {
  /** A sentence that says why the user is asked. */
  reason: string;
  method: EnteredProof;
  /** A password to suggest. */
  known?: string;
}

/**
 * Asks in a dialog for the password or the code of a user, until `prove` accepts one. `prove` returns the error message for the
 * user, or undefined. Returns false if the dialog is closed without a proof.
 */
export function askForProof(
  { reason, method, known = '' }: Question,
  prove: (secret: string) => Promise<string | undefined>,
): Promise<boolean> {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'proof-title');
  document.body.append(dialog);
  let isProved = false;
  const show = (error?: string) =>
    render(
      html`<form @submit=${submitTo(submitted)}>
        <h2 id="proof-title">Prove your identity</h2>
        <p>${reason}</p>
        <label>${labels[method]}
          <input name="secret" required .defaultValue=${method === 'password' ? known : ''}
            type=${method === 'password' ? 'password' : 'text'}
            autocomplete=${method === 'password' ? 'current-password' : 'one-time-code'}></label>
        <p class="outcome state-error" role="alert">${error ?? nothing}</p>
        <button type="submit">Continue</button>
        <button type="button" @click=${() => dialog.close()}>Cancel</button>
      </form>`,
      dialog,
    );
  const submitted = async ({ secret = '' }: Record<string, string>) => {
    const error = await prove(secret);
    isProved = error === undefined;
    if (isProved) dialog.close();
    else show(error);
  };
  show();
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(isProved);
    });
  });
}
