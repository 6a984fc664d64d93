import type { AccountId } from '../id/account-id.ts';
import type { RotationMember } from '../round-robin/schema.ts';
import { type Standing, standingsOf } from '../round-robin/slots.ts';
import type { ListSource } from '../table/list-source.ts';
import type { Write } from '../table/operations.ts';
import { recordStore } from '../table/record-store.ts';
import type { LeadRotation, StoredLeadRotation } from './schema.ts';

const records = recordStore<StoredLeadRotation, 'lead_rotation'>({
  noun: 'LEADROTATION',
  subject: 'lead_rotation',
});
const nobody: Standing = { eligible: [], currentPosition: 0 };

/** A rotation, and where it stands now. */
interface StandingRotation {
  rotation: StoredLeadRotation;
  shown: LeadRotation;
  eligible: readonly RotationMember[];
}

/** The lead rotations of an account. */
export const leadRotations = {
  ...records,

  /** A rotation as it is stored and as it is shown, and who in it is eligible. Throws `not_found`. */
  async get(account: AccountId, id: number): Promise<StandingRotation> {
    const rotation = await records.get(account, id);
    const [standing = nobody] = await standingsOf('LEADROTATION', [rotation]);
    return { rotation, eligible: standing.eligible, shown: showRotation(rotation, standing.currentPosition) };
  },

  show: ({ shown }: StandingRotation): LeadRotation => shown,
  forEvents: ({ shown }: StandingRotation): LeadRotation => shown,
  delete: ({ rotation }: StandingRotation, now: Date): Write[] => records.delete(rotation, now),

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
