/** Something outside the program is in the way; the message is one sentence that says what, and what to do. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

/** Whether a call failed because nothing listens there. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Error &&
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH/.test(`${(error as NodeJS.ErrnoException).code}`);
