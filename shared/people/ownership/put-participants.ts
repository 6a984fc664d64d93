import { endpoint } from '../../endpoints/endpoint.ts';
import { ApiError } from '../../errors.ts';
import type { TObject, TSchema } from '../../schema.ts';
import type { Principal } from '../../security/principal.ts';
import { inParallel } from '../../table/in-parallel.ts';
import type { Versioned } from '../../table/record-fields.ts';
import { isActiveMember, namesHiddenUser } from '../users/rules.ts';
import type { Membership } from '../users/schema.ts';
import { findMemberByReference } from '../users/store.ts';
import { type OwnedRecords, ownershipContract, type RecordReader, setOwnership } from './owned-records.ts';
import { type Ownership, ParticipantsInput } from './schema.ts';

/** Declares `PUT …/participants`, which replaces the participants of a record. */
export const putParticipants = <S extends Versioned & Ownership, P extends TObject, R extends TSchema>(
  of: OwnedRecords<S, P, R>,
  described: { summary: string },
) =>
  endpoint({
    ...described,
    ...ownershipContract(of),
    path: `${of.path}/participants`,
    body: ParticipantsInput,
    errors: ['user_unknown'],
    description: 'Participants reach the record with the same limited permissions as its owner.',
    read: ({ account, body, ...input }) =>
      inParallel([
        of.read({ account, ...input } as RecordReader<P>),
        inParallel(body.participants.map((name) => findMemberByReference(account, name))),
      ]),
    decide: (request, [record, members]) => {
      const ids = participantsAfter(request.body.participants, members, record, request.principal);
      return setOwnership(of, record, { participants: ids.length > 0 ? ids : null }, request);
    },
  });

/**
 * Returns the distinct ids of the users that a request names. Throws `user_unknown` for each name of a user who is not active,
 * or whose email the caller may not read, unless the user is a participant already.
 */
function participantsAfter(
  names: readonly string[],
  members: readonly (Membership | undefined)[],
  { participants = [] }: Ownership,
  principal: Principal,
): string[] {
  const ids = names.map((name, index) => {
    const member = namesHiddenUser(principal, name) ? undefined : members[index];
    const id = String(member?.id ?? name);
    return (member && isActiveMember(member)) || participants.includes(id) ? id : undefined;
  });
  const details = ids.flatMap((id, index) =>
    id === undefined
      ? [{ field: `participants[${index}]`, message: 'is not an active user of this account' }]
      : [],
  );
  if (details.length > 0) throw new ApiError('user_unknown', { details });
  return [...new Set(ids.filter((id) => id !== undefined))];
}
