import { cleanUp } from '../cleanup/clean-up.ts';
import type { Consumer } from '../consumer.ts';

/** Removes what a deleted application, merchant, ticket or file leaves behind. */
export default { queue: 'cleanup', handle: cleanUp } satisfies Consumer;
