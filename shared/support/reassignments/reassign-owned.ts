import { isActiveMember } from '../../people/users/rules.ts';
import { memberships } from '../../people/users/store.ts';
import { unassigned } from '../../people/users/unassigned.ts';
import { applicationUpdated } from '../../sales/applications/events.ts';
import { applications } from '../../sales/applications/store.ts';
import { leads } from '../../sales/leads/store.ts';
import { merchantUpdated } from '../../sales/merchants/event-fields.ts';
import { merchants } from '../../sales/merchants/store.ts';
import { authoredBy, revise } from '../../table/revise.ts';
import { leadTurns } from './reassign-lead.ts';
import type { ReassignmentRun, RecordChanger } from './record-changer.ts';
import { byRotation } from './start-reassignment.ts';

/** Reassigns the applications that a user owns. Their underwriters do not change. */
export function applicationChanger(run: ReassignmentRun): RecordChanger<string> {
  const { account, content, now } = run;
  const newOwner = newOwners(run);
  return {
    async decide(id) {
      const application = await applications.find(account, id);
      if (application?.ownerId !== content.from) return undefined;
      const { leadId } = application.admin;
      const lead = leadId === undefined ? undefined : () => leads.find(account, leadId);
      const ownerId = await newOwner(application, async () => (await lead?.())?.assignedTo);
      const after = revise(application, { ownerId }, authoredBy(content.actor.user, now));
      return {
        writes: applications.replace(application, after),
        events: applicationUpdated(application, after),
      };
    },
  };
}

/** Reassigns the merchants that a user owns. */
export function merchantChanger(run: ReassignmentRun): RecordChanger {
  const { account, content, now } = run;
  const newOwner = newOwners(run);
  return {
    async decide(id) {
      const merchant = await merchants.find(account, id);
      if (merchant?.ownerId !== content.from) return undefined;
      const { applicationId } = merchant;
      const application =
        applicationId === undefined ? undefined : () => applications.find(account, applicationId);
      const ownerId = await newOwner(merchant, async () => (await application?.())?.ownerId);
      const after = revise(merchant, { ownerId }, authoredBy(content.actor.user, now));
      return { writes: merchants.replace(merchant, after), events: merchantUpdated(merchant, after) };
    },
  };
}

/**
 * Returns a function that chooses the new owner of a record, or null. By rotation, a record gets the owner of the lead or
 * application from which it was created, so that one user remains responsible for a customer. If this owner is not active, the
 * rotation of leads chooses.
 */
function newOwners({ account, content: { from, to } }: ReassignmentRun) {
  const turnOf = leadTurns(account);
  return async (
    { id, teamId }: { id: number | string; teamId?: number },
    readOwnerOfOrigin: () => Promise<string | undefined>,
  ): Promise<string | null> => {
    if (to !== byRotation) return to === unassigned ? null : to;
    const owner = await readOwnerOfOrigin();
    if (owner !== undefined && owner !== from) {
      const member = await memberships.find(account, Number(owner));
      if (member && isActiveMember(member)) return owner;
    }
    return turnOf(id, teamId);
  };
}
