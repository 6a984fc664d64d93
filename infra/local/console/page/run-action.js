import { html, nothing } from '/_local/lit-html/lit-html.js';

/** Runs the actions of a screen one at a time, and shows the outcome of the last action. */
export function actions(update) {
  let outcome;
  let busy = false;
  return {
    /** `done` is the sentence to show after a success, or a function that returns this sentence for the result. */
    async run(action, done) {
      if (busy) return;
      busy = true;
      outcome = undefined;
      update();
      try {
        const result = await action();
        outcome = { text: typeof done === 'function' ? done(result) : done };
      } catch (error) {
        outcome = { text: error.message, failed: true };
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
