import type { Request, RequestInput } from '../../endpoints/endpoint.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { reachedRecords } from '../../resources/derived.ts';
import type { EventKind, ReachedType } from '../../resources/registry.ts';
import type { Static, TObject, TSchema } from '../../schema.ts';
import type { Write } from '../../table/operations.ts';
import type { Versioned } from '../../table/record-fields.ts';
import { type Revision, revise } from '../../table/revise.ts';
import type { Ownership } from './schema.ts';

/** The part of a request that reads one record. */
export type RecordReader<P extends TObject> = Pick<RequestInput, 'account' | 'requireReach'> & {
  params: Static<P>;
};

/**
 * The records of a type, as the endpoints of this folder read and change them. `S` is a stored record, `P` the schema of the
 * path's parameters, and `R` that of the response, which is the response of PATCH.
 */
export interface OwnedRecords<S extends Versioned & Ownership, P extends TObject, R extends TSchema> {
  type: ReachedType;
  /** The path of a record: `/leads/{leadId}`. */
  path: string;
  params: P;
  response: R;
  emits: EventKind & `${string}_updated`;
  /** Reads the record in the path. Throws `not_found`, and the errors of `requireReach`. */
  read(input: RecordReader<P>): Promise<S>;
  show(record: S, request: Request): Static<R>;
  /** Returns the writes of a change, and its events. Both are empty if the two states are the same object. */
  replace(before: S, after: S): Write[];
  updated(before: S, after: S): EventDraft[];
}

/** The parts that the contracts of this folder's endpoints have in common. */
export const ownershipContract = <S extends Versioned & Ownership, P extends TObject, R extends TSchema>(
  of: OwnedRecords<S, P, R>,
) =>
  ({
    method: 'PUT',
    permission: reachedRecords[of.type].write,
    reach: of.type,
    params: of.params,
    response: of.response,
    emits: [of.emits],
    rights: ['emails:find'],
  }) as const;

/** Returns the outcome of a request that sets fields of a record's ownership. */
export function setOwnership<S extends Versioned & Ownership, P extends TObject, R extends TSchema>(
  of: OwnedRecords<S, P, R>,
  record: S,
  revision: Revision<Ownership>,
  request: Request,
) {
  const after = revise<S>(record, revision as Revision<S>, request);
  return {
    response: of.show(after, request),
    writes: of.replace(record, after),
    events: of.updated(record, after),
  };
}
