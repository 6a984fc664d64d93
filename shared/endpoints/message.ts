import { object, string } from '../schema.ts';
/** A response with one message. */
/** A response that is one sentence. */
export const Message = object({ message: string({ examples: ['The password was changed.'] }) });
