/** Takes one line of the log. */
export type Log = (line: string) => void;

/** Where Lambda, and the local runner, read the log. */
export const standardOutput: Log = (line) => {
  process.stdout.write(line);
};

/**
 * Tells operators of a failure, by fields that a query of the log finds, without the content of a message. Goes past
 * `console`, around whose text Lambda puts JSON of its own: there the fields would be a part of a string.
 */
export const logFailure = (fields: object): void =>
  standardOutput(`${JSON.stringify({ level: 'error', ...fields })}\n`);

/** A failure of ours as the log tells it: whole, because nobody else is told of it. */
export const failureOf = (error: unknown): { name: string; message: string; stack?: string } =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: typeof error, message: String(error) };
