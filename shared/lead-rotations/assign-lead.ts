import type { AccountId } from '../id/account-id.ts';
import { eligibleMembers } from '../round-robin/read-members.ts';
import { takeSlot } from '../round-robin/slots.ts';
import type { Membership } from '../users/schema.ts';
import type { StoredLeadRotation } from './schema.ts';
import { leadRotations } from './store.ts';

/** As many rotations of an account as are looked at. */
const looked = 1000;

/** The rotation that leads of a team go by: the team's own active one, else the account's; the oldest of several. */
export function rotationFor(teamId: number | undefined, rotations: readonly StoredLeadRotation[]) {
  const active = rotations
    .filter(({ status }) => status === 'active')
    .sort((one, other) => one.id - other.id);
  const own = active.find((rotation) => teamId !== undefined && rotation.teamId === teamId);
  return own ?? active.find((rotation) => rotation.teamId === undefined);
}

/** The rotations of an account, for `nextAssignee`. */
export const readRotations = (account: AccountId): Promise<StoredLeadRotation[]> =>
  leadRotations.newest(account, looked);

/** Who gets a lead: somebody, nobody because there is no rotation, or nobody although there is one. */
export interface Assignment {
  assignedTo?: string;
  /** A rotation was there, and nobody in it was eligible. */
  unassigned?: true;
}

/** A lead given to the member that a request names, or to nobody. */
export const givenTo = (named: Membership | undefined): Assignment =>
  named ? { assignedTo: String(named.id) } : {};

/** Who gets the next lead of a team. Each call uses up a slot of the rotation, so call it once for each lead. */
export async function nextAssignee(
  account: AccountId,
  teamId: number | undefined,
  rotations: readonly StoredLeadRotation[],
): Promise<Assignment> {
  const rotation = rotationFor(teamId, rotations);
  if (!rotation) return {};
  const eligible = await eligibleMembers(account, rotation.userRotationArray);
  const member = await takeSlot('LEADROTATION', rotation, eligible);
  return member ? { assignedTo: member.userId } : { unassigned: true };
}
