import type { ByPermission } from '../endpoints/contract.ts';
import { endpoint, type RequestInput } from '../endpoints/endpoint.ts';
import {
  isUnchangedReference,
  paramsOf,
  type Reference,
  recordNamed,
} from '../endpoints/record-endpoints.ts';
import type { ErrorCode } from '../errors.ts';
import { created } from '../events/emit.ts';
import type { EventDraft } from '../events/envelope.ts';
import type { ChangesData } from '../resources/event-data.ts';
import type { EventKind, KindAbout, SubjectType } from '../resources/registry.ts';
import type { Static, TObject, TSchema } from '../schema.ts';
import { inParallel, readAndCheck } from '../table/in-parallel.ts';
import { newRecord } from '../table/record-fields.ts';
import { type Revision, revise } from '../table/revise.ts';
import { membersFrom, readNamedMembers } from './read-members.ts';
import { type rotationStore, type StoredRotation, withoutInactive } from './rotation-store.ts';
import { beginTurns, resetTurns } from './rules.ts';
import type { newTurnFields, SkippedMember, turnFields } from './schema.ts';
import type { RotationState } from './slots.ts';

type RotationStore<
  R extends StoredRotation,
  N extends SubjectType,
  V extends { inactiveMembers?: SkippedMember[] },
> = ReturnType<typeof rotationStore<R, N, V>>;

interface ShownRotation {
  id: number;
  version: number;
  name: string;
  currentPosition: number;
  inactiveMembers?: SkippedMember[];
}

interface RotationContract<B extends TSchema, V extends TSchema> extends ByPermission {
  path: string;
  params?: TSchema;
  body: B;
  response: V;
  /** The endpoint's errors in addition to `rotation_invalid` and `position_out_of_range`. */
  errors: readonly ErrorCode[];
  summary: string;
  description?: string;
}

type InitialFields = ReturnType<typeof newRecord> &
  Pick<RotationState, 'userRotationArray' | 'slotEpoch' | 'slotStart'>;

interface RotationCreation<N extends SubjectType, R, B extends TSchema, V extends TSchema>
  extends RotationContract<B, V> {
  emits: KindAbout<N, ChangesData>;
  /** Throws if the body refers to a record that does not exist. */
  refersTo: (input: RequestInput<{ body: B }>) => Promise<unknown>;
  rotation: (body: Static<B>, initial: InitialFields) => R;
}

interface Patch<R, B extends TSchema, V extends TSchema> extends RotationContract<B, V> {
  emits: readonly EventKind[];
  refersTo: Reference<B, R>;
  /** The fields to change, except members and position. Null clears a field. */
  set: (body: Static<B>) => Revision<R>;
  events: (before: Static<V>, after: Static<V>) => EventDraft[];
}

const errorsOf = ({ errors }: { errors: readonly ErrorCode[] }): ErrorCode[] => [
  ...errors,
  'rotation_invalid',
  'position_out_of_range',
];

export const createRotation = <
  R extends StoredRotation,
  N extends SubjectType,
  B extends TObject<typeof newTurnFields>,
  V extends TSchema,
>(
  store: RotationStore<R, N, Static<V> & ShownRotation>,
  { emits, refersTo, rotation: rotationOf, ...contract }: RotationCreation<N, R, B, V>,
) =>
  endpoint({
    ...contract,
    method: 'POST',
    rights: ['emails:find'],
    success: 'created',
    errors: errorsOf(contract),
    emits: [emits],
    read: async (input) =>
      inParallel([readNamedMembers(input.account, input.body.userRotationArray), refersTo(input)]),
    decide: (request, [named]) => {
      const members = membersFrom(named, request.principal);
      const { turns, currentPosition } = beginTurns(members, request.body.currentPosition);
      const rotation = rotationOf(request.body, { ...newRecord(request), ...turns });
      const shown = store.showAt(rotation, { currentPosition, skipped: members.skipped });
      const forEvents: ShownRotation = withoutInactive(shown);
      return { response: shown, writes: store.insert(rotation), events: created(store, emits, forEvents) };
    },
  });

export const patchRotation = <
  R extends StoredRotation,
  N extends SubjectType,
  B extends TObject<typeof turnFields>,
  V extends TSchema,
>(
  store: RotationStore<R, N, Static<V> & ShownRotation>,
  { refersTo, set, events, ...contract }: Patch<R, B, V>,
) =>
  endpoint({
    description: 'Changed members, order or weights restart the rotation at `currentPosition` (default 0).',
    ...contract,
    method: 'PATCH',
    rights: ['emails:find'],
    params: paramsOf(contract),
    errors: errorsOf(contract),
    read: async (input) => {
      const { account, body } = input;
      const reading = recordNamed(store, contract, input);
      const [[progress], named] = await inParallel([
        readAndCheck(reading, refersTo.check(input), ({ rotation }) =>
          isUnchangedReference(refersTo, body, rotation),
        ),
        body.userRotationArray && readNamedMembers(account, body.userRotationArray),
      ]);
      return [progress, named] as const;
    },
    decide: async (request, [{ rotation, shown, progress }, named]) => {
      await request.checkReadOnly(() => shown);
      const { body, principal } = request;
      const members = named ? membersFrom(named, principal, rotation.userRotationArray) : progress;
      const turned = resetTurns(rotation, members, body.currentPosition, shown.currentPosition);
      const after = revise(rotation, { ...set(body), ...turned.turns }, request);
      const { currentPosition } = turned;
      const response = store.showAt(after, { currentPosition, skipped: members.skipped });
      const changed = events(withoutInactive(shown), withoutInactive(response));
      return { response, writes: store.replace(rotation, after), events: changed };
    },
  });
