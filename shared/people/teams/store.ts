import { ApiError } from '../../errors.ts';
import { byName } from '../../events/subject.ts';
import type { AccountId } from '../../id/account-id.ts';
import { recordStore } from '../../table/record-store.ts';
import type { Team } from './schema.ts';

const records = recordStore<Team, 'team'>({ resource: 'team' });

export const teams = {
  ...records,

  describe: byName,

  /** Throws `team_unknown` if the account has no active team with this id. Accepts an id that is undefined or null. */
  async requireActive(
    account: AccountId,
    id: number | null | undefined,
    otherwise = new ApiError('team_unknown'),
  ): Promise<void> {
    if (id === undefined || id === null) return;
    const team = await records.find(account, id);
    if (!team?.active) throw otherwise;
  },
};
