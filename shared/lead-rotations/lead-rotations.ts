import type { AccountId } from '../accounts/account-id.ts';
import { currentPositions } from '../rotations/slots.ts';
import { recordsOf } from '../table/records.ts';
import type { LeadRotation, StoredLeadRotation } from './lead-rotation.ts';

const records = recordsOf<StoredLeadRotation>('LEADROTATION');

/** The lead rotations of an account. */
export const leadRotations = {
  ...records,

  /** A rotation as it is stored and as it is shown. Refuses with `not_found`. */
  async getShown(
    account: AccountId,
    id: number,
  ): Promise<{ rotation: StoredLeadRotation; shown: LeadRotation }> {
    const rotation = await records.get(account, id);
    const [position = 0] = await currentPositions('LEADROTATION', [rotation]);
    return { rotation, shown: showRotation(rotation, position) };
  },

  /** The account's rotations, each with its position, as the source of a list. */
  shownOf: (account: AccountId) => ({
    newest: async (limit: number) => showRotations(await records.newest(account, limit)),
    total: () => records.total(account),
  }),
};

async function showRotations(rotations: StoredLeadRotation[]): Promise<LeadRotation[]> {
  const positions = await currentPositions('LEADROTATION', rotations);
  return rotations.map((rotation, index) => showRotation(rotation, positions[index] ?? 0));
}

/** A rotation as the API shows it: with where it stands. */
export function showRotation(rotation: StoredLeadRotation, currentPosition: number): LeadRotation {
  const { slotEpoch, slotStart, ...shown } = rotation;
  return { ...shown, currentPosition };
}
