import { cleanUp } from '../cleanup/clean-up.ts';
import type { Consumer } from '../consumer.ts';

/** Removes the remaining data of a deleted record. */
export default { queue: 'cleanup', handle: cleanUp } satisfies Consumer;
