import { byName } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Write } from '../table/operations.ts';
import type { Versioned } from '../table/record-fields.ts';
import type { RecordStore } from '../table/record-store.ts';
import type { SkippedMember } from './schema.ts';
import { progressOf, type RotationProgress, type RotationState } from './slots.ts';

/** A stored rotation. The counter of its slots is a separate item. */
export interface StoredRotation extends Versioned, RotationState {
  id: number;
  status: 'active' | 'inactive';
}

interface RotationWithProgress<R, V> {
  rotation: R;
  shown: V;
  progress: RotationProgress;
}

/** The parts of the progress that responses show. */
type ShownProgress = Pick<RotationProgress, 'currentPosition' | 'skipped'>;

const maxChoices = 1000;

const noProgress: RotationProgress = { members: [], eligible: [], skipped: [], slot: 0, currentPosition: 0 };

/**
 * The store of one kind of rotation. `show` returns a rotation as the API shows it, from the record, its position and
 * its skipped members.
 */
export function rotationStore<
  R extends StoredRotation,
  S extends string,
  V extends { inactiveMembers?: SkippedMember[] },
>(records: RecordStore<R, S>, show: (rotation: R, progress: ShownProgress) => V) {
  const showAll = async (rotations: R[]): Promise<V[]> => {
    const progress = await progressOf(records.noun, rotations);
    return rotations.map((rotation, index) => show(rotation, progress[index] ?? noProgress));
  };
  return {
    ...records,

    describe: byName,

    /** Returns a rotation as stored and as shown, with its progress. Throws `not_found`. */
    async get(account: AccountId, id: R['id']): Promise<RotationWithProgress<R, V>> {
      const rotation = await records.get(account, id);
      const [progress = noProgress] = await progressOf(records.noun, [rotation]);
      return { rotation, progress, shown: show(rotation, progress) };
    },

    show: ({ shown }: RotationWithProgress<R, V>): V => shown,
    forEvents: ({ shown }: RotationWithProgress<R, V>): V => withoutInactive(shown),
    showAt: show,
    delete: ({ rotation }: RotationWithProgress<R, V>, now: Date): Write[] => records.delete(rotation, now),

    /** Returns the newest 1,000 rotations of an account. */
    choices: (account: AccountId): Promise<R[]> => records.newest(account, maxChoices),

    listOf: (account: AccountId): ListSource<V, R> => ({ ...records.listOf(account), show: showAll }),
  };
}

export function withPosition<R extends RotationState>(
  rotation: R,
  { currentPosition, skipped }: ShownProgress,
) {
  const { slotEpoch, slotStart, ...shown } = rotation;
  return { ...shown, currentPosition, ...(skipped.length > 0 && { inactiveMembers: [...skipped] }) };
}

/** Returns a rotation as events contain it. */
export function withoutInactive<V extends { inactiveMembers?: SkippedMember[] }>(rotation: V): V {
  const { inactiveMembers: _, ...rest } = rotation;
  return rest as V;
}
