import { endpoint } from '../../endpoints/endpoint.ts';
import type { TObject, TSchema } from '../../schema.ts';
import { inParallel, readAndCheck } from '../../table/in-parallel.ts';
import type { Versioned } from '../../table/record-fields.ts';
import { teams } from '../teams/store.ts';
import { requireMayAssign } from '../users/rules.ts';
import { requireAssignee } from '../users/store.ts';
import { type OwnedRecords, ownershipContract, type RecordReader, setOwnership } from './owned-records.ts';
import { OwnerChange, type Ownership } from './schema.ts';

/** Declares `PUT …/owner`, which sets the owner and the team of a record. */
export const putOwner = <S extends Versioned & Ownership, P extends TObject, R extends TSchema>(
  of: OwnedRecords<S, P, R>,
  described: { summary: string },
) =>
  endpoint({
    ...described,
    ...ownershipContract(of),
    path: `${of.path}/owner`,
    body: OwnerChange,
    errors: ['user_unknown', 'team_unknown'],
    description:
      'An omitted field does not change. A caller with a limited permission can give the record away, and then may no longer read it.',
    read: async ({ account, body: { ownerId, teamId }, ...input }) => {
      const reading = of.read({ account, ...input } as RecordReader<P>);
      const [[record, owner]] = await inParallel([
        readAndCheck(
          reading,
          ownerId ? requireAssignee(account, ownerId, 'ownerId') : undefined,
          (held) => held.ownerId === ownerId,
        ),
        readAndCheck(reading, teams.requireActive(account, teamId), (held) => held.teamId === teamId),
      ]);
      return { record, owner };
    },
    decide: (request, { record, owner }) => {
      const { ownerId, teamId } = request.body;
      requireMayAssign(request.principal, ownerId, 'ownerId');
      const revision = { ownerId: owner ? String(owner.id) : ownerId, teamId };
      return setOwnership(of, record, revision, request);
    },
  });
