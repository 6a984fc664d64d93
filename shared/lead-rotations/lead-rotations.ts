import type { AccountId } from '../accounts/account-id.ts';
import type { ListSource } from '../http/list-source.ts';
import { type Standing, standingsOf } from '../rotations/slots.ts';
import { recordsOf } from '../table/records.ts';
import type { LeadRotation, StoredLeadRotation } from './lead-rotation.ts';

const records = recordsOf<StoredLeadRotation>('LEADROTATION');
const nobody: Standing = { eligible: [], currentPosition: 0 };

/** The lead rotations of an account. */
export const leadRotations = {
  ...records,

  /** A rotation as it is stored and as it is shown, and who is eligible. Refuses with `not_found`. */
  async getShown(account: AccountId, id: number) {
    const rotation = await records.get(account, id);
    const [standing = nobody] = await standingsOf('LEADROTATION', [rotation]);
    return { rotation, eligible: standing.eligible, shown: showRotation(rotation, standing.currentPosition) };
  },

  /** The account's rotations as the source of a list, which shows each with its position. */
  listOf: (account: AccountId): ListSource<LeadRotation, StoredLeadRotation> => ({
    ...records.listOf(account),
    show: showRotations,
  }),
};

async function showRotations(rotations: StoredLeadRotation[]): Promise<LeadRotation[]> {
  const standings = await standingsOf('LEADROTATION', rotations);
  return rotations.map((rotation, index) =>
    showRotation(rotation, (standings[index] ?? nobody).currentPosition),
  );
}

/** A rotation as the API shows it: with where it stands. */
export function showRotation(rotation: StoredLeadRotation, currentPosition: number): LeadRotation {
  const { slotEpoch, slotStart, ...shown } = rotation;
  return { ...shown, currentPosition };
}
