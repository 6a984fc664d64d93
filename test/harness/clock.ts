/** The clock of every handler in a test: the real time plus an offset that tests change. */
let offset = 0;

export const clock = {
  now: (): Date => new Date(Date.now() + offset),

  /** Moves the clock forward by this number of milliseconds. */
  advance(milliseconds: number): void {
    offset += milliseconds;
  },

  reset(): void {
    offset = 0;
  },
};
