import { array, integer, object, optional, type Static, string } from '../schema.ts';

const userId = string({
  minLength: 1,
  maxLength: 254,
  description: 'A user: its id, or its email, which is stored as the id.',
  examples: ['214563398120449'],
});
const weight = integer({
  minimum: 1,
  maximum: 10,
  description: 'A higher weight receives more.',
  examples: [3],
});
const email = string({ examples: ['grace@example.com'] });
const name = string({ examples: ['Grace Hopper'] });

/** Who takes turns, and how often. Interface, "Rotation member". */
export const RotationMember = object({ userId, email, name, weight });
export type RotationMember = Static<typeof RotationMember>;

/** Email and name are taken from the user, whatever is sent. */
const RotationMemberInput = object({ userId, email: optional(email), name: optional(name), weight });

export const RotationMembers = array(RotationMember);
export const RotationMembersInput = array(RotationMemberInput, { minItems: 1, maxItems: 100 });
