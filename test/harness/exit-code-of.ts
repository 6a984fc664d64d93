import { CannotStart } from '../../infra/local/cannot-start.ts';

/** What a command ends with: what it resolves to, or 1 after the sentence that says what is in its way. */
export async function exitCodeOf(main: () => Promise<number>): Promise<number> {
  try {
    return await main();
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    console.error(error.message);
    return 1;
  }
}
