import type { Request } from '../endpoints/endpoint.ts';
import { ApiError, invalid } from '../errors.ts';
import { mintId } from '../id/mint.ts';
import { teams } from '../people/teams/store.ts';
import { requireAssignee } from '../people/users/store.ts';
import { unassigned } from '../people/users/unassigned.ts';
import type { Static } from '../schema.ts';
import { byRotation } from '../support/reassignments/start-reassignment.ts';
import { sameValue } from '../table/revise.ts';
import { settingsChange } from './change-groups.ts';
import type { MappedGroup, Provisioning, ProvisioningInput, StoredProvisioning } from './schema.ts';
import type { Groups } from './store.ts';

export const showProvisioning = ({ settings, groups }: Groups): Provisioning => ({
  groups: groups.map(({ id: _, externalId: __, made: ___, ...group }) => group),
  ...(settings.reassignTo !== undefined && { reassignTo: settings.reassignTo }),
  version: settings.version,
});

/** Replaces the settings. Throws `invalid_input`, `role_unknown`, `team_unknown` and `user_unknown`. */
export async function saveSettings(
  body: Static<typeof ProvisioningInput>,
  found: Groups,
  { account, now }: Pick<Request, 'account' | 'now'>,
) {
  const groups = body.groups.map((group, n) => mappedGroup(group, n, found));
  for (const field of ['id', 'displayName'] as const) {
    const values = groups.map((group) => group[field].toLowerCase());
    const repeated = values.findIndex((value, n) => values.indexOf(value) !== n);
    if (repeated >= 0)
      throw invalid(`groups[${repeated}]`, 'has the name, the role or the team of another group');
  }
  await Promise.all(groups.map(({ teamId }) => teams.requireActive(account, teamId)));
  const to = body.reassignTo ?? undefined;
  const target =
    to === undefined || to === byRotation || to === unassigned
      ? to
      : String((await requireAssignee(account, to, 'reassignTo')).id);
  const before = found.settings;
  const after = { groups, ...(target !== undefined && { reassignTo: target }) };
  const settings: StoredProvisioning = {
    ...after,
    id: before.version === 0 ? mintId(now) : before.id,
    version: before.version + 1,
  };
  const { id: _, version: __, ...stored } = before;
  if (sameValue(stored, after)) return { settings: before, writes: [], events: [] };
  return { settings, ...settingsChange(account, { ...before, id: settings.id }, after) };
}

/** The group of the identity provider keeps its external id, and whether it made the role. */
function mappedGroup(
  { displayName, roleId, teamId }: Static<typeof ProvisioningInput>['groups'][number],
  index: number,
  { all, groups }: Groups,
): MappedGroup {
  if ((roleId === undefined) === (teamId === undefined))
    throw invalid(`groups[${index}]`, 'must have either roleId or teamId');
  if (roleId !== undefined && !all.roles[roleId])
    throw new ApiError('role_unknown', {
      details: [{ field: `groups[${index}].roleId`, message: 'is not a role of this account' }],
    });
  const id = roleId === undefined ? `team-${teamId}` : `role-${roleId}`;
  const known = groups.find((group) => group.id === id);
  return {
    id,
    displayName,
    ...(known?.externalId !== undefined && { externalId: known.externalId }),
    ...(roleId === undefined ? { teamId } : { roleId }),
    ...(known?.made && { made: known.made }),
  };
}
