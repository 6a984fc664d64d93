/** The clock of every handler in a test: the real time plus an offset that tests change. */
let offset = 0;
let held: Date | undefined;

export const clock = {
  now: (): Date => (held ? new Date(held) : new Date(Date.now() + offset)),

  /** Stops the clock at an instant, so that two requests get the same time. Without an instant, it runs again. */
  hold(instant?: Date): void {
    held = instant;
  },

  /** Moves the clock forward by this number of milliseconds. */
  advance(milliseconds: number): void {
    offset += milliseconds;
  },

  reset(): void {
    offset = 0;
  },
};
