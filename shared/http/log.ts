/** Takes one line of the log. */
export type Log = (line: string) => void;

/** Where Lambda, and the local runner, read the log. */
export const standardOutput: Log = (line) => {
  process.stdout.write(line);
};

/** A failure of ours as the log tells it: whole, because nobody else is told of it. */
export const failureOf = (error: unknown): { name: string; message: string; stack?: string } =>
  error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: typeof error, message: String(error) };
