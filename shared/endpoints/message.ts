import { object, string } from '../schema.ts';
export const Message = object({ message: string({ examples: ['The request was accepted.'] }) });
