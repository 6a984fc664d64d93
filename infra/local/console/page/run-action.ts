import { html, nothing } from 'lit-html';

/** The sentence to show after a success, or a function that returns this sentence for the result. */
export type Done<R> = string | ((result: R) => string);

/** Runs the actions of a screen one at a time, and shows the outcome of the last action. */
export function actions(update: () => void) {
  let outcome: { text: string; failed?: boolean } | undefined;
  let busy = false;
  return {
    async run<R>(action: () => Promise<R>, done: Done<R>): Promise<void> {
      if (busy) return;
      busy = true;
      outcome = undefined;
      update();
      try {
        const result = await action();
        outcome = { text: typeof done === 'function' ? done(result) : done };
      } catch (error) {
        outcome = { text: (error as Error).message, failed: true };
      }
      busy = false;
      update();
    },
    view: () =>
      html`<p class=${outcome?.failed ? 'outcome state-error' : 'outcome state-ok'} role="status">${
        busy ? 'Please wait …' : (outcome?.text ?? nothing)
      }</p>`,
  };
}
