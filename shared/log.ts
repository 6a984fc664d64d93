/** Writes one line to the log. */
export type Log = (line: string) => void;

export const standardOutput: Log = (line) => {
  process.stdout.write(line);
};

/**
 * Logs a failure for operators as JSON, so that log queries can use its fields. The fields must not contain the content
 * of messages. Does not use `console`, because Lambda would wrap the text in another JSON object.
 */
export const logFailure = (fields: object): void =>
  standardOutput(`${JSON.stringify({ level: 'error', ...fields })}\n`);

/** An unexpected error as logged, with its stack. Clients do not get these details. */
export const failureOf = (error: unknown): { name: string; message: string; stack?: string } =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: typeof error, message: String(error) };
