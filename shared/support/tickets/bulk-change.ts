import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import type { BulkInput } from './bulk-schema.ts';
import type { TicketChange } from './change-ticket.ts';
import { teamUnknown } from './new-ticket.ts';
import { changeFor } from './patch-ticket.ts';

/** Returns the change of a bulk operation. Throws `user_unknown` or `team_unknown`. */
export async function bulkChangeFor(
  account: AccountId,
  { action, payload }: BulkInput,
): Promise<TicketChange> {
  switch (action) {
    case 'assign':
      return changeFor(account, { ...payload, assignedTeamId: teamIdOf(payload.assignedTeamId) });
    case 'change_status':
    case 'change_priority':
      return payload;
    case 'add_tag':
      return { addTag: payload.tag };
    case 'remove_tag':
      return { removeTag: payload.tag };
  }
}

function teamIdOf(sent: number | string | null | undefined): number | null | undefined {
  if (typeof sent !== 'string') return sent;
  const id = asRecordId(sent);
  if (id === undefined) throw teamUnknown();
  return id;
}
