import type { Membership } from '../../people/users/schema.ts';
import { activeByAge } from '../../rotations/rules.ts';
import { type CountSlot, previewSlots, readCurrentMembers, takeTurn } from '../../rotations/slots.ts';
import type { StoredLeadRotation } from './schema.ts';
import { leadRotations } from './store.ts';

/**
 * Returns the oldest active rotation of the team. If the team has no active rotation, returns the oldest
 * active rotation without a team.
 */
function leadRotationFor(teamId: number | undefined, rotations: readonly StoredLeadRotation[]) {
  const active = activeByAge(rotations);
  const own = active.find((rotation) => teamId !== undefined && rotation.teamId === teamId);
  return own ?? active.find((rotation) => rotation.teamId === undefined);
}

/** Reads the rotations of an account for `nextAssignee`. */
export const readRotations = leadRotations.choices;

/** The assignee of a lead, if there is one. */
interface LeadAssignee {
  assignedTo?: string;
  /** True if a rotation exists, but none of its members was eligible. */
  unassigned?: true;
}

/** Returns the assignment to the given member. If no member is given, returns an assignment without an assignee. */
export const assignmentTo = (named: Membership | undefined): LeadAssignee =>
  named ? { assignedTo: String(named.id) } : {};

/** Chooses the assignee of a lead. A call that finds an assignee advances the rotation, so call this once per lead. */
export async function nextAssignee(
  teamId: number | undefined,
  rotations: readonly StoredLeadRotation[],
  countSlot?: CountSlot,
): Promise<LeadAssignee> {
  const rotation = leadRotationFor(teamId, rotations);
  if (!rotation) return {};
  const members = await readCurrentMembers(rotation);
  if (members.eligible.length === 0) return { unassigned: true };
  const { assignee } = await takeTurn('LEADROTATION', rotation, members, countSlot);
  return { assignedTo: assignee?.userId };
}

/** Previews the assignee of a lead without advancing the rotation. */
export const previewAssignee = (
  teamId: number | undefined,
  rotations: readonly StoredLeadRotation[],
): Promise<LeadAssignee> => nextAssignee(teamId, rotations, previewSlots());
