import { CannotStart } from '../../infra/administration/cannot-start.ts';

/** Runs a command and returns its exit code: the result of `main`, or 1 after printing the message of a CannotStart. */
export async function exitCodeOf(main: () => Promise<number>): Promise<number> {
  try {
    return await main();
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    console.error(error.message);
    return 1;
  }
}
