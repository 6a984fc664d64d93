import { array, integer, object, optional, type Static, string } from '../schema.ts';

const userId = string({
  minLength: 1,
  maxLength: 254,
  description: 'A user: its id, or its email, which is stored as the id.',
});
const weight = integer({ minimum: 1, maximum: 10, description: 'A higher weight receives more.' });

/** Who takes turns, and how often. Interface, "Rotation member". */
export const RotationMember = object({ userId, email: string(), name: string(), weight });
export type RotationMember = Static<typeof RotationMember>;

/** Email and name are taken from the user, whatever is sent. */
const RotationMemberInput = object({ userId, email: optional(string()), name: optional(string()), weight });

export const RotationMembers = array(RotationMember);
export const RotationMembersInput = array(RotationMemberInput, { minItems: 1, maxItems: 100 });
