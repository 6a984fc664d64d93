import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { asRecordId } from '../../id/mint.ts';
import type { BulkAction, BulkInput, BulkPayload } from './bulk-schema.ts';
import type { TicketChange } from './change-ticket.ts';
import { teamUnknown } from './new-ticket.ts';
import { changeFor } from './patch-ticket.ts';

/** The fields of each action. Both fields of `assign` are optional; the field of any other action is required. */
const fieldsOf: Record<BulkAction, readonly (keyof BulkPayload)[]> = {
  assign: ['assignedTo', 'assignedTeamId'],
  change_status: ['status'],
  change_priority: ['priority'],
  add_tag: ['tag'],
  remove_tag: ['tag'],
};

/** Validates a bulk operation and returns its change. Throws `invalid_input`, `user_unknown` or `team_unknown`. */
export async function validateBulk(
  account: AccountId,
  { action, payload }: Pick<BulkInput, 'action' | 'payload'>,
): Promise<TicketChange> {
  checkFields(action, payload);
  const { tag, assignedTo, assignedTeamId, status, priority } = payload;
  if (tag !== undefined) return action === 'add_tag' ? { addTag: tag } : { removeTag: tag };
  if (action !== 'assign') return { status, priority };
  return changeFor(account, { assignedTo, assignedTeamId: teamIdOf(assignedTeamId) });
}

function checkFields(action: BulkAction, payload: BulkPayload): void {
  const wanted = fieldsOf[action];
  const sent = Object.keys(payload) as (keyof BulkPayload)[];
  const foreign = sent.find((field) => !wanted.includes(field));
  if (foreign !== undefined) throw invalid(`payload.${foreign}`, `is not a field of ${action}`);
  if (sent.length === 0 && wanted.length === 1) throw invalid(`payload.${wanted[0]}`, 'is required');
}

function teamIdOf(sent: number | string | null | undefined): number | null | undefined {
  if (typeof sent !== 'string') return sent;
  const id = asRecordId(sent);
  if (id === undefined) throw teamUnknown();
  return id;
}
