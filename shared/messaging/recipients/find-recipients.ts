import { accountKey } from '../../accounts/keys.ts';
import type { Event } from '../../events/envelope.ts';
import type { Roles } from '../../people/roles/schema.ts';
import { rolesKey } from '../../people/roles/store.ts';
import type { SubscriberIndexMarker } from '../../people/users/mark-subscriber-index.ts';
import type { OwnRule } from '../../people/users/own-rules.ts';
import { effectivePermissions, isActiveMember, ownLogOf } from '../../people/users/rules.ts';
import type { Membership } from '../../people/users/schema.ts';
import { memberships } from '../../people/users/store.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { recordKey } from '../../table/keys.ts';
import { currentReads, type Reads } from '../../table/read.ts';
import { readSubscribers } from '../subscriber-index/read-subscribers.ts';
import { type Candidate, decideRecipients, type RecipientDecision } from './decide-recipients.ts';
import { recipientsByServiceRules, userConcernedBy } from './service-rules.ts';

/** What was decided for the first candidates behind a user. */
interface RecipientPage {
  decisions: RecipientDecision[];
  /** There are more candidates behind this user; left out: these are all. */
  upTo?: number;
  /** The first user whose rows in the account's audiences are still to be rewritten. */
  marker?: SubscriberIndexMarker;
}

/**
 * Who hears of an event, of so many candidates with ids behind `after`: those with a rule for its kind and those whom the
 * service's rules mean. Reads no more members than these; `reads` are those of this moment unless they are given.
 */
export async function findRecipients(
  event: Event,
  most: number,
  after?: number,
  reads: Reads = currentReads,
): Promise<RecipientPage> {
  const { userIds, administrators } = recipientsByServiceRules(event);
  const { accountId: account, kind } = event;
  const { rules, ...rest } = await readSubscribers(
    { account, kind, also: userIds, administrators, after, most },
    reads,
  );
  return { decisions: decideRecipients(event, await readCandidates(event, rules, reads)), ...rest };
}

/** Candidates as they are at this moment: their membership and their roles decide, and never a row of an audience. */
export async function readCandidates(
  event: Event,
  rules: ReadonlyMap<number, OwnRule | undefined>,
  reads: Reads = currentReads,
): Promise<Candidate[]> {
  if (rules.size === 0) return [];
  const { accountId } = event;
  const ids = [...rules.keys()];
  const [stored, ...items] = await reads.getItems([
    rolesKey(accountId),
    ...ids.map((id) => recordKey(accountId, memberships.noun, id)),
  ]);
  const roles = stored && recordOf<Roles>(stored);
  const members = ids.map((userId, index) => {
    const item = items[index];
    const membership = item && !isTombstone(item) ? recordOf<Membership>(item) : undefined;
    return { ...memberOf(event, userId, membership, roles), rule: rules.get(userId) };
  });
  const isStranger = ({ standing, email }: Candidate) => standing === 'not_member' && email !== undefined;
  return members.some(isStranger) && (await isErased(event, reads))
    ? members.filter((member) => !isStranger(member))
    : members;
}

/** Whether the account of an event is gone, or going: who was its member cannot be told from a stranger any more. */
async function isErased({ accountId, subject }: Event, reads: Reads): Promise<boolean> {
  // The log of somebody who belongs to no account is of none.
  if (accountId === ownLogOf(subject)) return false;
  const item = await reads.getItem(accountKey(accountId));
  return !item || isTombstone(item);
}

function memberOf(
  event: Event,
  userId: number,
  membership: Membership | undefined,
  roles: Roles | undefined,
): Candidate {
  if (!membership || membership.invited)
    return {
      userId,
      email: membership?.email ?? emailInEvent(event, userId),
      standing: 'not_member',
      administrator: false,
      permissions: new Set(),
    };
  const { email, name, phone, accountAdmin } = membership;
  return {
    userId,
    email,
    name,
    phone,
    standing: isActiveMember(membership) ? 'active' : 'inactive',
    administrator: accountAdmin,
    permissions: effectivePermissions(membership, roles),
  };
}

/** Whoever sets or asks to reset its own password may belong to no account; its event then says who it is. */
const emailInEvent = ({ kind, actor, ...event }: Event, userId: number): string | undefined =>
  kind !== 'admin_force_set_password' && userConcernedBy({ kind, actor, ...event }) === userId
    ? actor.user
    : undefined;
