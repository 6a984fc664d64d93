import { type ErrorCode, notFound } from '../errors.ts';
import { created, happened, updated } from '../events/emit.ts';
import type { Describing, Identified } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import { asRecordId } from '../id/mint.ts';
import type { ChangesData, NoData } from '../resources/event-data.ts';
import type { KindAbout, SubjectType } from '../resources/registry.ts';
import { object, recordId, type Static, type TSchema } from '../schema.ts';
import { readAndCheck } from '../table/in-parallel.ts';
import type { RecordId } from '../table/keys.ts';
import type { Write } from '../table/operations.ts';
import type { Versioned } from '../table/record-fields.ts';
import { type Revision, revise } from '../table/revise.ts';
import type { ByAdministrators, ByPermission, Contract, ContractTerms } from './contract.ts';
import { endpoint, type Request, type RequestInput } from './endpoint.ts';

/**
 * Event kinds whose data contains the changed fields. A patch emits an event of such a kind, or an event without
 * data.
 */
type UpdatedKind<N extends SubjectType> = KindAbout<N, ChangesData> & `${string}_updated`;

/** A store of records of type `S`. `show` converts a record to the type `V` of the response. */
interface Shown<S, V> {
  show(record: S): V;
}

interface Readable<S, V, N extends string = string> extends Shown<S, V> {
  subject: N;
  /** Parses the id, which is the last parameter of the path. By default, an id consists of decimal digits. */
  idFrom?(text: string): RecordId | undefined;
  /** Throws `not_found`. */
  get(account: AccountId, id: RecordId): Promise<S>;
}

interface Emitting<N extends SubjectType, S> extends Describing<N, Identified> {
  /** Returns the record for use in events: without secrets and other values that the account may not read. */
  forEvents(record: S): Identified;
}

interface Insertable<N extends SubjectType, S, V> extends Shown<S, V>, Emitting<N, S> {
  insert(record: S): Write[];
}

interface Deletable<N extends SubjectType, S, V> extends Readable<S, V, N>, Emitting<N, S> {
  delete(record: S, now: Date): Write[];
}

interface Replaceable<N extends SubjectType, S, V> extends Readable<S, V, N>, Emitting<N, S> {
  replace(before: S, after: S): Write[];
}

/** The contract of an endpoint for one record. The last parameter of its path is the record's id. */
interface RecordContract<R extends TSchema> extends Pick<ContractTerms, 'proof'> {
  path: string;
  /** Default: one record id. */
  params?: TSchema;
  response: R;
  errors?: readonly ErrorCode[];
  summary: string;
  description?: string;
}

type Admitted = ByPermission | ByAdministrators;

interface CreateContract<N extends SubjectType, S, B extends TSchema, R extends TSchema>
  extends RecordContract<R> {
  body: B;
  emits: KindAbout<N, ChangesData>;
  /** Throws if the body contains a reference that is not allowed. */
  refersTo?: (input: RequestInput<{ body: B }>) => Promise<unknown>;
  record: (request: Request<{ body: B }>) => S;
}

interface DeleteContract<N extends SubjectType, S, R extends TSchema> extends RecordContract<R> {
  emits: KindAbout<N, NoData>;
  /** Throws if the principal may not delete this record. */
  permit?: (request: Request, record: S) => void;
}

/** A body field that refers to another record. */
export interface Reference<B extends TSchema, S> {
  /** If the record already has the same value, the reference is not checked. */
  field: keyof Static<B> & keyof S;
  /**
   * Throws if the reference is not allowed. If the record in the path does not exist, the response is
   * `not_found` instead of this error.
   */
  check: (input: RequestInput<{ body: B }>) => Promise<unknown>;
}

/** Reports whether the body sends the value that the record already has for this reference. */
export const isUnchangedReference = <B extends TSchema, S>(
  { field }: Reference<B, S>,
  body: Static<B>,
  record: S,
): boolean => Object.is(body[field], record[field]);

interface PatchContract<N extends SubjectType, S, B extends TSchema, R extends TSchema>
  extends RecordContract<R> {
  /** Default PATCH. */
  method?: 'PATCH' | 'PUT' | 'POST' | 'DELETE';
  body?: B;
  emits: UpdatedKind<N> | KindAbout<N, NoData>;
  refersTo?: Reference<B, S>;
  /** The fields to set. Null clears a field. */
  set: Revision<S> | ((request: Request<{ body: B }>, record: S) => Revision<S>);
}

export const createRecord = <N extends SubjectType, S, B extends TSchema, R extends TSchema>(
  store: Insertable<N, S, Static<R>>,
  { emits, refersTo, record: recordOf, ...contract }: CreateContract<N, S, B, R> & Admitted,
) =>
  endpoint({
    ...contract,
    method: 'POST',
    success: 'created',
    emits: [emits],
    read: async (input) => refersTo?.(input),
    decide: (request) => {
      const record = recordOf(request);
      return {
        response: store.show(record),
        writes: store.insert(record),
        events: created(store, emits, store.forEvents(record)),
      };
    },
  });

/** Declares the endpoint that reads a record. Throws `not_found`. */
export const readRecord = <S, R extends TSchema>(
  store: Readable<S, Static<R>>,
  contract: RecordContract<R> & Admitted,
) =>
  endpoint({
    ...contract,
    method: 'GET',
    params: paramsOf(contract),
    read: async (input) => recordNamed(store, contract, input),
    decide: (_, record) => ({ response: store.show(record) }),
  });

/** Declares the endpoint that deletes a record. The response is the deleted record. */
export const deleteRecord = <N extends SubjectType, S, R extends TSchema>(
  store: Deletable<N, S, Static<R>>,
  { emits, permit, ...contract }: DeleteContract<N, S, R> & Admitted,
) =>
  endpoint({
    ...contract,
    method: 'DELETE',
    params: paramsOf(contract),
    emits: [emits],
    read: async (input) => recordNamed(store, contract, input),
    decide: (request, record) => {
      permit?.(request, record);
      return {
        response: store.show(record),
        writes: store.delete(record, request.now),
        events: happened(store, emits, store.forEvents(record)),
      };
    },
  });

/** Declares an endpoint that sets fields of a record. If no value changes, the endpoint writes and emits nothing. */
export const patchRecord = <N extends SubjectType, S extends Versioned, B extends TSchema, R extends TSchema>(
  store: Replaceable<N, S, Static<R>>,
  { emits, refersTo, set, method = 'PATCH', ...contract }: PatchContract<N, S, B, R> & Admitted,
) =>
  endpoint({
    ...contract,
    method,
    params: paramsOf(contract),
    emits: [emits],
    read: async (input) => {
      const reading = recordNamed(store, contract, input);
      if (!refersTo) return reading;
      const [record] = await readAndCheck(reading, refersTo.check(input), (before) =>
        isUnchangedReference(refersTo, input.body, before),
      );
      return record;
    },
    decide: async (request, before) => {
      await request.checkReadOnly(() => store.show(before));
      const revision = typeof set === 'function' ? set(request, before) : set;
      const after = revise(before, revision, request);
      if (before === after) return { response: store.show(after), writes: [], events: [] };
      const [from, to] = [store.forEvents(before), store.forEvents(after)];
      return {
        response: store.show(after),
        writes: store.replace(before, after),
        events: isUpdated<N>(emits) ? updated(store, emits, from, to) : happened(store, emits, to),
      };
    },
  });

const isUpdated = <N extends SubjectType>(
  kind: UpdatedKind<N> | KindAbout<N, NoData>,
): kind is UpdatedKind<N> => kind.endsWith('_updated');

interface Path extends Pick<Contract, 'reach'> {
  path: string;
  params?: TSchema;
}

export const paramsOf = ({ path, params }: Path): TSchema =>
  params ?? object({ [idParameterIn(path)]: recordId() });

const idParameterIn = (path: string): string => /\{(\w+)\}[^{]*$/.exec(path)?.[1] ?? '';

/**
 * Finds the record by the id in the path. Throws `not_found` if the record does not exist, if the id is invalid, or if the
 * caller does not reach the record.
 */
export async function recordNamed<S>(
  store: Readable<S, unknown>,
  { path, reach }: Path,
  { account, params, requireReach }: Pick<RequestInput, 'account' | 'requireReach'> & { params: unknown },
): Promise<S> {
  const text = String(Object(params)[idParameterIn(path)]);
  const id = (store.idFrom ?? asRecordId)(text);
  if (id === undefined) throw notFound(store.subject, text);
  const record = await store.get(account, id);
  const [type] = [reach ?? []].flat();
  if (type) await requireReach(type, record as object, id);
  return record;
}
