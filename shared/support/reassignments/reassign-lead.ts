import { unassigned } from '../../people/users/unassigned.ts';
import { nextAssignee, readRotations } from '../../sales/lead-rotations/assign-lead.ts';
import { leadUpdated } from '../../sales/leads/events.ts';
import { leads } from '../../sales/leads/store.ts';
import { readOnce } from '../../table/list-source.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import type { ReassignmentRun, RecordChanger } from './record-changer.ts';
import { byRotation } from './start-reassignment.ts';

/** Reassigns leads. The rotation of a lead advances once, even if the change runs again after a version conflict. */
export function leadChanger({ account, content, now }: ReassignmentRun): RecordChanger {
  const { from, to, actor } = content;
  const rotations = readOnce(() => readRotations(account));
  const turns = new Map<number, ReturnType<typeof nextAssignee>>();
  const assigneeOf = async (id: number, teamId: number | undefined): Promise<string | null> => {
    if (to !== byRotation) return to === unassigned ? null : to;
    const turn = turns.get(id) ?? rotations().then((all) => nextAssignee(teamId, all));
    turns.set(id, turn);
    return (await turn).assignedTo ?? null;
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
