import { array, nullable, object, optional, partial, recordId, type Static, string } from '../../schema.ts';

/** The most participants of a record. The search index has an entry for each of them. */
const maxRecordParticipants = 10;

export const participants = array(string({ examples: ['214563398120449'] }), {
  readOnly: true,
  maxItems: maxRecordParticipants,
  description: 'The ids of users who reach the record like its owner. Absent if there are none.',
});

/** The fields that name those who reach an application or a merchant. Only the endpoints of this folder change them. */
const ownership = partial({
  ownerId: string({
    readOnly: true,
    examples: ['214563398120449'],
    description: 'The owner: the id of a user.',
  }),
  teamId: recordId({ readOnly: true, description: 'The team whose members reach the record.' }),
  participants,
});
export type Ownership = Static<typeof ownership>;
export const ownershipFields = ownership.properties;

const reference = string({ minLength: 1, maxLength: 254, examples: ['214563398120449'] });

/** The body of `PUT …/owner`. */
export const OwnerChange = object({
  ownerId: optional(
    nullable({ ...reference, description: 'The id or email of an active user. Null removes the owner.' }),
  ),
  teamId: optional(nullable(recordId({ description: 'An active team. Null removes the team.' }))),
});

/** The body of `PUT …/participants`. */
export const ParticipantsInput = object({
  participants: array(reference, {
    maxItems: maxRecordParticipants,
    description:
      'The ids or emails of active users. Duplicates are removed. A user who is a participant already may be inactive.',
  }),
});
