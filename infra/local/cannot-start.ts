/** Something outside the program is in the way; the message is one sentence that says what, and what to do. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}
