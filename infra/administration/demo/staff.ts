import { emailOf } from '../fictional-data.ts';
import { at, type DemoCompany, ensureNamed, readAll } from './company.ts';
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

/** Creates roles, teams, users, lead sources, ticket types and rotations. */
export async function createStaff(company: DemoCompany): Promise<Staff> {
  const { plan, account, send } = company;
  await ensureNamed(company, '/roles', plan.roles);
  const teams = await ensureNamed(company, '/teams', plan.teams);
  const sources = await ensureNamed(company, '/lead-sources', plan.leadSources);

  const known = new Map(
    (await readAll<{ id: number; email: string }>(company, '/users')).map(({ id, email }) => [email, id]),
  );
  const users: string[] = [];
  await company.each('users', plan.users, async ({ firstName, lastName, team, role, ...fields }, n) => {
    // Emails are unique across all accounts, so the email contains the account.
    const unique = `${plan.seed}-${n}.${account.replace('acc_', '')}`;
    const email = emailOf({ firstName, lastName }, unique);
    const body = {
      ...fields,
      email,
      name: `${firstName} ${lastName}`,
      teamId: at(teams, team),
      roles: [role],
    };
    users[n] = String(known.get(email) ?? (await send('POST', '/users', body)).id);
  });

  await ensureNamed(company, '/lead-rotations', [
    { name: `Demo leads ${plan.seed}`, userRotationArray: inTurn(users, agents) },
  ]);
  await ensureNamed(company, '/ticket-rotations', [
    { name: `Demo tickets ${plan.seed}`, userRotationArray: inTurn(users, supporters) },
  ]);
  await ensureNamed(company, '/ticket-types', plan.ticketTypes);
  const types = await readAll<{ name: string; uniqueId: string }>(company, '/ticket-types');
  const ticketTypes = plan.ticketTypes.map(
    ({ name }) => types.find((type) => type.name === name)?.uniqueId ?? '',
  );
  return { users, teams, sources, ticketTypes };
}
