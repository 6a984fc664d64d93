import { html, nothing } from '/_local/lit-html/lit-html.js';

/** The outcome of the last action of a screen: a sentence, and whether the action failed. */
export function actions(update) {
  let outcome;
  let busy = false;
  return {
    /** Runs an action, for example a call. `done` is a sentence, or a function of the result that returns one. */
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
