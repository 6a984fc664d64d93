import { byName } from '../events/subject.ts';
import type { AccountId } from '../id/account-id.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Write } from '../table/operations.ts';
import type { Versioned } from '../table/record-fields.ts';
import type { RecordStore } from '../table/record-store.ts';
import { progressOf, type RotationProgress, type RotationState } from './slots.ts';

/** A rotation as it is stored: where it stands is counted elsewhere. */
export interface StoredRotation extends Versioned, RotationState {
  id: number;
  status: 'active' | 'inactive';
}

/** A rotation, and where it stands now. */
interface RotationWithProgress<R, V> {
  rotation: R;
  shown: V;
  progress: RotationProgress;
}

/** As many rotations of an account as are looked at for one to use. */
const looked = 1000;

const noProgress: RotationProgress = { members: [], eligible: [], skipped: [], slot: 0, currentPosition: 0 };

/**
 * The store of a kind of rotation: its records, each read and shown with where it stands. `show` makes what the API
 * shows of a rotation and its position.
 */
export function rotationStore<R extends StoredRotation, S extends string, V>(
  records: RecordStore<R, S>,
  show: (rotation: R, currentPosition: number) => V,
) {
  const showAll = async (rotations: R[]): Promise<V[]> => {
    const progress = await progressOf(records.noun, rotations);
    return rotations.map((rotation, index) =>
      show(rotation, (progress[index] ?? noProgress).currentPosition),
    );
  };
  return {
    ...records,

    describe: byName,

    /** A rotation as it is stored and as it is shown, and where it stands. Throws `not_found`. */
    async get(account: AccountId, id: R['id']): Promise<RotationWithProgress<R, V>> {
      const rotation = await records.get(account, id);
      const [progress = noProgress] = await progressOf(records.noun, [rotation]);
      return { rotation, progress, shown: show(rotation, progress.currentPosition) };
    },

    show: ({ shown }: RotationWithProgress<R, V>): V => shown,
    forEvents: ({ shown }: RotationWithProgress<R, V>): V => shown,
    showAt: show,
    delete: ({ rotation }: RotationWithProgress<R, V>, now: Date): Write[] => records.delete(rotation, now),

    /** The rotations of an account, for `activeByAge` to choose from. */
    choices: (account: AccountId): Promise<R[]> => records.newest(account, looked),

    /** The account's rotations as the source of a list, which shows each with its position. */
    listOf: (account: AccountId): ListSource<V, R> => ({ ...records.listOf(account), show: showAll }),
  };
}

/** A rotation with its position, and without how its turns are counted. */
export function withPosition<R extends RotationState>(rotation: R, currentPosition: number) {
  const { slotEpoch, slotStart, ...shown } = rotation;
  return { ...shown, currentPosition };
}
