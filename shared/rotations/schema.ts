import { array, integer, object, oneOf, optional, recordId, type Static, string } from '../schema.ts';

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

export const RotationStatus = oneOf(['active', 'inactive']);
export const NewRotationStatus = oneOf(['active', 'inactive'], { default: 'active' });

export const CurrentPosition = integer({
  minimum: 0,
  description: 'Index of the next slot in the weighted rotation.',
  examples: [0],
});

/** The fields of a body that say whose turn it is. */
export const newTurnFields = {
  userRotationArray: RotationMembersInput,
  currentPosition: optional(CurrentPosition),
};
export const turnFields = {
  userRotationArray: optional(RotationMembersInput),
  currentPosition: optional(CurrentPosition),
};

const id = string({ description: 'Id of a user.', examples: ['214563398120449'] });

/** A member who gets no turn, and why: deactivated, or not in the account, which includes being merely invited to it. */
export const SkippedMember = object({ userId: id, reason: oneOf(['inactive', 'not_member']) });
export type SkippedMember = Static<typeof SkippedMember>;

/**
 * A turn that was taken, with all that decided whose it is: the member is at `start` + `slot`, modulo its length, in
 * the weighted sequence of `members`.
 */
export const Turn = object({
  rotationId: recordId(),
  epoch: integer({ description: 'One higher with every reset of the rotation.', examples: [1] }),
  slot: integer({ description: 'How many turns of the epoch were taken before.', examples: [41] }),
  start: integer({ description: 'The position that the epoch began at.', examples: [0] }),
  members: array(object({ userId: id, weight }), { description: 'Who was eligible, in order.' }),
  skipped: array(SkippedMember),
});
export type Turn = Static<typeof Turn>;
