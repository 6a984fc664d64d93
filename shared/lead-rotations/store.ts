import type { AccountId } from '../id/account-id.ts';
import { type Standing, standingsOf } from '../round-robin/slots.ts';
import type { ListSource } from '../table/list-source.ts';
import { recordStore } from '../table/record-store.ts';
import type { LeadRotation, StoredLeadRotation } from './schema.ts';

const records = recordStore<StoredLeadRotation, 'lead_rotation'>({
  noun: 'LEADROTATION',
  subject: 'lead_rotation',
});
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
