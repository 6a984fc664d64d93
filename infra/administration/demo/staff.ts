import { emailOf } from '../fictional-data.ts';
import type { WithId } from '../send-requests.ts';
import { at, type DemoCompany, ensure } from './company.ts';
import { agents, supporters } from './plan.ts';

/** The ids of the records that leads, merchants and tickets refer to, in the order of the plan. */
export interface Staff {
  users: string[];
  teams: number[];
  sources: number[];
  /** The `uniqueId` of each type. */
  ticketTypes: string[];
}

const inTurn = (users: readonly string[], members: readonly number[]) =>
  members.map((n, place) => ({ userId: at(users, n), weight: 1 + (place % 3) }));

const idsOf = (records: readonly WithId[]): number[] => records.map(({ id }) => Number(id));

/** Creates roles, teams, users, lead sources, ticket types and rotations. */
export async function createStaff(company: DemoCompany): Promise<Staff> {
  const { plan, account } = company;
  await ensure(company, '/roles', 'name', plan.roles);
  const teams = idsOf(await ensure(company, '/teams', 'name', plan.teams));
  const sources = idsOf(await ensure(company, '/lead-sources', 'name', plan.leadSources));
  const members = plan.users.map(({ firstName, lastName, team, role, ...fields }, n) => ({
    ...fields,
    // Emails are unique across all accounts, so the email contains the account.
    email: emailOf({ firstName, lastName }, `${plan.seed}-${n}.${account.replace('acc_', '')}`),
    name: `${firstName} ${lastName}`,
    teamId: at(teams, team),
    roles: [role],
  }));
  const users = idsOf(await ensure(company, '/users', 'email', members, 'users')).map(String);
  for (const [path, name, places] of [
    ['/lead-rotations', `Demo leads ${plan.seed}`, agents],
    ['/ticket-rotations', `Demo tickets ${plan.seed}`, supporters],
  ] as const)
    await ensure(company, path, 'name', [{ name, userRotationArray: inTurn(users, places) }]);
  type Type = WithId & { uniqueId: string };
  const types = await ensure<Type>(company, '/ticket-types', 'name', plan.ticketTypes);
  return { users, teams, sources, ticketTypes: types.map(({ uniqueId }) => uniqueId) };
}
