import type { Changed, KindOf, Nothing, NounEvents } from '../events/data.ts';
import { happened, switched, updated } from '../events/emit.ts';
import { object, recordId, type Static, type TSchema } from '../schema.ts';
import type { Permission } from '../security/permissions.ts';
import type { RecordStore, Versioned } from '../table/record-store.ts';
import { type Revision, revise } from '../table/revise.ts';
import { endpoint, type Request } from './endpoint.ts';

/** The kind that tells what changed; every other kind of a patch says it all by its name. */
type UpdatedKind<N extends keyof NounEvents> = KindOf<N, Changed> & `${string}_updated`;

/** What an endpoint of one record says about itself. The last parameter of its path is the record's id. */
interface RecordContract<R extends TSchema> {
  path: string;
  permission: Permission;
  response: R;
  summary: string;
  description?: string;
}

interface DeleteContract<N extends keyof NounEvents, R extends TSchema> extends RecordContract<R> {
  emits: KindOf<N, Nothing>;
}

interface PatchContract<N extends keyof NounEvents, B extends TSchema, R extends TSchema>
  extends RecordContract<R> {
  /** Left out: PATCH. */
  method?: 'PATCH' | 'POST' | 'DELETE';
  body?: B;
  emits: UpdatedKind<N> | KindOf<N, Nothing>;
  /** The fields to set: a value sets, null clears. */
  set: Set<Static<B>, Static<R>>;
}

type Set<B, R> = Revision<R> | ((request: Request<unknown, unknown, B>, record: R) => Revision<R>);

/** Declares the endpoint that reads one record of a store. Throws `not_found`. */
export const readRecord = <N extends keyof NounEvents, R extends TSchema>(
  store: RecordStore<Static<R> & Versioned, N>,
  contract: RecordContract<R>,
) =>
  endpoint(
    { ...contract, method: 'GET', params: paramsOf(contract) },
    {
      read: ({ account, params }) => store.get(account, idIn(params)),
      decide: (_, record) => ({ response: record }),
    },
  );

/** Declares the endpoint that deletes a record: it answers with what was deleted and leaves a tombstone. */
export const deleteRecord = <N extends keyof NounEvents, R extends TSchema>(
  store: RecordStore<Static<R> & Versioned, N>,
  { emits, ...contract }: DeleteContract<N, R>,
) =>
  endpoint(
    { ...contract, method: 'DELETE', params: paramsOf(contract), emits: [emits] },
    {
      read: ({ account, params }) => store.get(account, idIn(params)),
      decide: ({ now }, record) => ({
        response: record,
        writes: store.tombstone(record, now),
        events: happened(store, emits, record),
      }),
    },
  );

/**
 * Declares an endpoint that sets fields of a record. Where nothing differs nothing is written and nothing is emitted.
 */
export const patchRecord = <N extends keyof NounEvents, B extends TSchema, R extends TSchema>(
  store: RecordStore<Static<R> & Versioned, N>,
  { emits, set, method = 'PATCH', ...contract }: PatchContract<N, B, R>,
) =>
  endpoint(
    { ...contract, method, params: paramsOf(contract), emits: [emits] },
    {
      read: ({ account, params }) => store.get(account, idIn(params)),
      decide: (request, before) => {
        const revision = typeof set === 'function' ? set(request, before) : set;
        const after = revise(before, revision, request.principal.actor.user, request.now);
        const events = isUpdated<N>(emits)
          ? updated(store, emits, before, after)
          : switched(store, emits, before, after);
        return { response: after, writes: store.replace(before, after), events };
      },
    },
  );

const isUpdated = <N extends keyof NounEvents>(
  kind: UpdatedKind<N> | KindOf<N, Nothing>,
): kind is UpdatedKind<N> => kind.endsWith('_updated');

const paramsOf = ({ path }: { path: string }) => {
  const [, name = ''] = /\{(\w+)\}[^{]*$/.exec(path) ?? [];
  return object({ [name]: recordId() });
};

const idIn = (params: Record<string, number>): number => Object.values(params).at(-1) ?? Number.NaN;
