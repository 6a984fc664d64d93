import type { AccountId } from '../../id/account-id.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { nextAssignee, readRotations } from '../../sales/lead-rotations/assign-lead.ts';
import { leadUpdated } from '../../sales/leads/events.ts';
import { leads } from '../../sales/leads/store.ts';
import type { RecordId } from '../../table/keys.ts';
import { readOnce } from '../../table/list-source.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import type { ReassignmentRun, RecordChanger } from './record-changer.ts';
import { byRotation } from './start-reassignment.ts';

/**
 * Returns a function that chooses the next user of the rotation for a record and its team, or null. The rotation advances once
 * for each record, even if a change runs again after a version conflict.
 */
export function leadTurns(
  account: AccountId,
): (id: RecordId, teamId: number | undefined) => Promise<string | null> {
  const rotations = readOnce(() => readRotations(account));
  const turns = new Map<RecordId, ReturnType<typeof nextAssignee>>();
  return async (id, teamId) => {
    const turn = turns.get(id) ?? rotations().then((all) => nextAssignee(teamId, all));
    turns.set(id, turn);
    return (await turn).assignedTo ?? null;
  };
}

/** Reassigns leads. */
export function leadChanger({ account, content, now }: ReassignmentRun): RecordChanger {
  const { from, to, actor } = content;
  const turnOf = leadTurns(account);
  const assigneeOf = async (id: number, teamId: number | undefined): Promise<string | null> => {
    if (to === byRotation) return turnOf(id, teamId);
    return to === unassigned ? null : to;
  };
  return {
    async decide(id) {
      const lead = await leads.find(account, id);
      if (lead?.assignedTo !== from) return undefined;
      const assignedTo = await assigneeOf(id, lead.teamId);
      const after = revise(lead, { assignedTo }, authoredBy(actor.user, now));
      return { writes: leads.replace(lead, after), events: leadUpdated(lead, after) };
    },
  };
}
