/** Handles the submission of a form: `handle` receives the values of its fields. */
export const submitTo = (handle: (fields: Record<string, string>) => unknown) => (event: SubmitEvent) => {
  event.preventDefault();
  const fields = [...new FormData(event.target as HTMLFormElement)];
  handle(Object.fromEntries(fields.map(([name, value]) => [name, String(value)])));
};
