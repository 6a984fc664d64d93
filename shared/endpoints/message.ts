import { object, string } from '../schema.ts';
/** A response with one message. */
export const Message = object({ message: string({ examples: ['The password was changed.'] }) });
