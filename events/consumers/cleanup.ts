import { cleanUp } from '../cleanup/clean-up.ts';
import type { Consumer } from '../consumer.ts';

/** Removes the remains of a deleted application, merchant, ticket or file. */
export default { queue: 'cleanup', handle: cleanUp } satisfies Consumer;
