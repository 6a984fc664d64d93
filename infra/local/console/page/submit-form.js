/** Handles the submission of a form: `handle` receives the values of its fields. */
export const submitTo = (handle) => (event) => {
  event.preventDefault();
  handle(Object.fromEntries(new FormData(event.target)), event.target);
};
