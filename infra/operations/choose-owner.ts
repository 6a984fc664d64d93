import { normalizeEmail } from '../../shared/formats.ts';

/** Why a record gets an owner, in the order of preference. */
export const ownerSources = ['application', 'lead', 'creator', 'repcode'] as const;
export type OwnerSource = (typeof ownerSources)[number];

/** The owner and the team that a record gets, and why. */
export interface ChosenOwner {
  ownerId: string;
  teamId?: number;
  source: OwnerSource;
}

/** An active user, and the user's team. */
interface ActiveUser {
  id: number;
  email: string;
  teamId?: number;
}

/** The fields of an application that determine its owner. */
export interface ApplicationOrigin {
  leadId?: number;
  repcode?: string;
  createdBy?: string;
  ownerId?: string;
  teamId?: number;
}

/** The data of an account by which owners are chosen. Only active users become owners. */
export interface OwnerChoice {
  /** The active users, by id and by email. */
  users: ReadonlyMap<string, ActiveUser>;
  /** The id or email of the user of each `repcode`. Another `repcode` may itself be an id or an email. */
  repcodes: ReadonlyMap<string, string>;
  /** The leads of the applications. */
  leads: ReadonlyMap<number, { assignedTo?: string; teamId?: number }>;
}

/** Returns the active users by id and by email. */
export const usersByName = (users: readonly ActiveUser[]): Map<string, ActiveUser> =>
  new Map(users.flatMap((user) => [String(user.id), user.email].map((name) => [name, user] as const)));

export const userNamed = ({ users }: Pick<OwnerChoice, 'users'>, name = ''): ActiveUser | undefined =>
  users.get(name.includes('@') ? normalizeEmail(name) : name);

/**
 * Returns the owner of an application: the assignee of its lead, with the lead's team. Otherwise its creator, or the user of
 * its `repcode`, with the user's team.
 */
export function ownerOfApplication(
  { leadId, createdBy, repcode = '' }: ApplicationOrigin,
  choice: OwnerChoice,
): ChosenOwner | undefined {
  const lead = leadId === undefined ? undefined : choice.leads.get(leadId);
  const assignee = userNamed(choice, lead?.assignedTo);
  if (assignee) return { ownerId: String(assignee.id), teamId: lead?.teamId, source: 'lead' };
  return (
    chosen(userNamed(choice, createdBy), 'creator') ??
    chosen(userNamed(choice, choice.repcodes.get(repcode.trim()) ?? repcode.trim()), 'repcode')
  );
}

/**
 * Returns the owner of a merchant: the owner that its application has or gets, with the team of the application. The creator of
 * such a merchant only approved the application. A merchant without an application gets its creator.
 */
export function ownerOfMerchant(
  { applicationId, createdBy }: { applicationId?: string; createdBy?: string },
  application: ApplicationOrigin | undefined,
  choice: OwnerChoice,
): ChosenOwner | undefined {
  if (applicationId === undefined) return chosen(userNamed(choice, createdBy), 'creator');
  if (!application) return undefined;
  const { ownerId, teamId } = application;
  if (ownerId !== undefined) return { ownerId, teamId, source: 'application' };
  const found = ownerOfApplication(application, choice);
  return found && { ...found, teamId: teamId ?? found.teamId, source: 'application' };
}

const chosen = (user: ActiveUser | undefined, source: OwnerSource): ChosenOwner | undefined =>
  user && { ownerId: String(user.id), teamId: user.teamId, source };
