import { accountKey } from '../../accounts/keys.ts';
import type { Event } from '../../events/envelope.ts';
import { happeningOf } from '../../events/kinds.ts';
import type { Roles } from '../../people/roles/schema.ts';
import { rolesKey } from '../../people/roles/store.ts';
import type { SubscriberIndexMarker } from '../../people/users/mark-subscriber-index.ts';
import type { OwnRule } from '../../people/users/own-rules.ts';
import { isActiveMember, ownLogOf, permissionsAsMember } from '../../people/users/rules.ts';
import type { Membership } from '../../people/users/schema.ts';
import { memberships } from '../../people/users/store.ts';
import { isTombstone, recordOf } from '../../table/item.ts';
import { recordKey } from '../../table/keys.ts';
import { currentReads, type Reads } from '../../table/read.ts';
import { readSubjectRecords } from '../subjects/read-subject-records.ts';
import { readSubscribers } from '../subscriber-index/read-subscribers.ts';
import { type Candidate, decideRecipients, type RecipientDecision } from './decide-recipients.ts';
import { isByPerson, recipientsByServiceRules, userConcernedBy } from './service-rules.ts';

interface RecipientPage {
  decisions: RecipientDecision[];
  /** The id of the last user of the page; absent if no more candidates follow. */
  upTo?: number;
  /** The marker of the first user whose rows in the account's subscriber index are outdated. */
  marker?: SubscriberIndexMarker;
}

/**
 * Decides who is notified of an event, for at most `most` candidates with ids above `after`. Candidates are
 * users who have a rule for the event's kind or a role in the service's rules. Reads only the candidates'
 * memberships. Dry runs pass their own `reads`.
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
    { account, kind, happening: happeningOf(event), also: userIds, administrators, after, most },
    reads,
  );
  const candidates = await readCandidates(event, rules, reads);
  const records = await readSubjectRecords(account, [event], candidates, reads);
  return { decisions: decideRecipients(event, candidates, records), ...rest };
}

/** Reads the current membership and roles of candidates. The subscriber index only selects the candidates. */
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
  const isNoMember = ({ status, email }: Candidate) => status === 'not_member' && email !== undefined;
  return members.some(isNoMember) && (await isErased(event, reads))
    ? members.filter((member) => !isNoMember(member))
    : members;
}

/** Reports whether the account of an event is erased or being erased. If so, users without a membership are omitted. */
async function isErased({ accountId, subject }: Event, reads: Reads): Promise<boolean> {
  // A user who belongs to no account has a separate event log, which has no account record.
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
      status: 'not_member',
      administrator: false,
      permissions: new Set(),
    };
  const { email, name, phone, accountAdmin, teamId, managedTeamIds } = membership;
  return {
    userId,
    email,
    name,
    phone,
    status: isActiveMember(membership) ? 'active' : 'inactive',
    administrator: accountAdmin,
    permissions: permissionsAsMember(membership, roles),
    teamId,
    managedTeamIds,
  };
}

/** Returns the email of a user without a membership from an event about the user's own password. */
const emailInEvent = (event: Event, userId: number): string | undefined =>
  isByPerson(event) && userConcernedBy(event) === userId ? event.actor.user : undefined;
