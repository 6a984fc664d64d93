import { object, string } from '../schema.ts';

/** An answer that is one sentence. */
export const Message = object({ message: string({ examples: ['The password was changed.'] }) });
