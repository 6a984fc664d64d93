/** An error with an external cause, such as a wrong setting. The message contains the cause and the remedy. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** Reports whether a call failed because the server cannot be reached. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH/.test(`${(error as NodeJS.ErrnoException).code}`);
