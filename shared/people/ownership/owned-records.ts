import type { Request, RequestInput } from '../../endpoints/endpoint.ts';
import type { EventDraft } from '../../events/envelope.ts';
import type { EventKind, ReachedType } from '../../resources/registry.ts';
import type { Static, TObject, TSchema } from '../../schema.ts';
import type { Write } from '../../table/operations.ts';
import type { Versioned } from '../../table/record-fields.ts';
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
