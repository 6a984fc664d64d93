import { array, integer, object, oneOf, optional, recordId, type Static, string } from '../schema.ts';

const userId = string({
  minLength: 1,
  maxLength: 254,
  description: 'The id of a user. Requests may contain the email of the user instead.',
  examples: ['214563398120449'],
});
const weight = integer({ minimum: 1, maximum: 10, description: 'Assignments per round.', examples: [3] });
const email = string({ examples: ['grace@example.com'] });
const name = string({ examples: ['Grace Hopper'] });

export const RotationMember = object({ userId, email, name, weight });
export type RotationMember = Static<typeof RotationMember>;

/** The email and name in a request are ignored: the stored values are copied from the user. */
export const RotationMemberInput = object({ userId, email: optional(email), name: optional(name), weight });

export const RotationMembers = array(RotationMember);
export const RotationMembersInput = array(RotationMemberInput, {
  minItems: 1,
  maxItems: 100,
  description: 'To add other users than itself, the caller needs the permission `readUsers`.',
});

export const RotationStatus = oneOf(['active', 'inactive']);
export const NewRotationStatus = oneOf(['active', 'inactive'], { default: 'active' });

export const CurrentPosition = integer({
  minimum: 0,
  description: 'Index of the next slot in the weighted rotation.',
  examples: [0],
});

export const newTurnFields = {
  userRotationArray: RotationMembersInput,
  currentPosition: optional(CurrentPosition),
};
export const turnFields = {
  userRotationArray: optional(RotationMembersInput),
  currentPosition: optional(CurrentPosition),
};

const id = string({ description: 'User id.', examples: ['214563398120449'] });

/** A member that the rotation skips. The reason for invited users is `not_member`. */
export const SkippedMember = object({ userId: id, reason: oneOf(['inactive', 'not_member']) });
export type SkippedMember = Static<typeof SkippedMember>;

/** Events of rotations do not contain this field, because it changes without a change of the rotation. */
export const InactiveMembers = optional(
  array(SkippedMember, {
    readOnly: true,
    'x-volatile': true,
    description:
      'The members that the rotation skips, because they are not active, or not members of the account. Absent if there are none.',
  }),
);

/** The assignee is the member at index `start` + `slot` (modulo the length) of the weighted sequence of `members`. */
export const Turn = object({
  rotationId: recordId(),
  epoch: integer({ description: 'Incremented by every reset of the rotation.', examples: [1] }),
  slot: integer({ description: 'Number of earlier slots in this epoch.', examples: [41] }),
  start: integer({ description: 'Position at which the epoch started.', examples: [0] }),
  members: array(object({ userId: id, weight }), { description: 'The eligible members, in order.' }),
  skipped: array(SkippedMember),
});
export type Turn = Static<typeof Turn>;
