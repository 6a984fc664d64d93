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

export interface Failure {
  name: string;
  message: string;
  stack?: string;
  /** The cause of the error, and the errors of an AggregateError, to a depth of three. */
  cause?: Failure;
  errors?: Failure[];
}

const deepest = 3;
const mostErrors = 10;

/**
 * An unexpected error as logged, with its stack and its causes. Clients do not get these details. Omits other properties
 * of errors, and the content of other objects that are causes, because they can contain requests and records.
 */
export const failureOf = (error: unknown): Failure => failureAt(error, 0);

function failureAt(error: unknown, depth: number): Failure {
  if (!(error instanceof Error)) return { name: typeof error, message: textOf(error, depth) };
  const { name, message, stack, cause } = error;
  const isDeepest = depth === deepest;
  const errors: readonly unknown[] = error instanceof AggregateError && !isDeepest ? error.errors : [];
  const inner = errors.slice(0, mostErrors).map((one) => failureAt(one, depth + 1));
  return {
    name,
    // Node’s error for a host that refuses a connection on all its addresses has no message.
    message: message || inner.map((one) => one.message).join('; '),
    stack,
    ...(cause !== undefined && !isDeepest && { cause: failureAt(cause, depth + 1) }),
    ...(inner.length > 0 && { errors: inner }),
  };
}

/** The text of a thrown value, or of a cause, that is not an Error. */
const textOf = (value: unknown, depth: number): string =>
  depth > 0 && typeof value === 'object' ? Object.prototype.toString.call(value) : String(value);
