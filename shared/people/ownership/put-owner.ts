import { endpoint } from '../../endpoints/endpoint.ts';
import { reachedRecords } from '../../resources/derived.ts';
import type { TObject, TSchema } from '../../schema.ts';
import { inParallel, readAndCheck } from '../../table/in-parallel.ts';
import type { Versioned } from '../../table/record-fields.ts';
import { type Revision, revise } from '../../table/revise.ts';
import { teams } from '../teams/store.ts';
import { requireMayAssign } from '../users/rules.ts';
import { requireAssignee } from '../users/store.ts';
import type { OwnedRecords, RecordReader } from './owned-records.ts';
import { OwnerChange, type Ownership } from './schema.ts';

/** Declares `PUT …/owner`, which sets the owner and the team of a record. */
export const putOwner = <S extends Versioned & Ownership, P extends TObject, R extends TSchema>(
  of: OwnedRecords<S, P, R>,
  described: { summary: string },
) =>
  endpoint({
    ...described,
    method: 'PUT',
    path: `${of.path}/owner`,
    permission: reachedRecords[of.type].write,
    reach: of.type,
    params: of.params,
    body: OwnerChange,
    response: of.response,
    errors: ['user_unknown', 'team_unknown'],
    emits: [of.emits],
    rights: ['emails:find'],
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
      const revision: Revision<Ownership> = { ownerId: owner ? String(owner.id) : ownerId, teamId };
      const after = revise<S>(record, revision as Revision<S>, request);
      return {
        response: of.show(after, request),
        writes: of.replace(record, after),
        events: of.updated(record, after),
      };
    },
  });
