/** The clock that every handler in a test goes by: real time, moved by as much as the test says. */
let offset = 0;

export const clock = {
  now: (): Date => new Date(Date.now() + offset),

  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): void {
    offset += milliseconds;
  },

  reset(): void {
    offset = 0;
  },
};
