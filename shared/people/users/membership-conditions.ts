import type { AccountId } from '../../id/account-id.ts';
import { recordKey } from '../../table/keys.ts';
import { ifEquals, type TransactItem } from '../../table/operations.ts';

type Otherwise = TransactItem['otherwise'];

/** Fails the transaction unless the user is still an active administrator. */
export const activeAdministrator = (account: AccountId, id: number, otherwise: Otherwise): TransactItem => ({
  operation: {
    ConditionCheck: {
      Key: recordKey(account, 'MEMBER', id),
      ConditionExpression: '#active = :yes AND attribute_not_exists(#invited) AND #admin = :yes',
      ExpressionAttributeNames: { '#active': 'active', '#invited': 'invited', '#admin': 'accountAdmin' },
      ExpressionAttributeValues: { ':yes': true },
    },
  },
  otherwise,
});

/** Fails the transaction unless the invitation is still the member's current one. An inactive member has none. */
export const openInvitation = (
  { account, userId, id }: { account: AccountId; userId: number; id: number },
  otherwise: Otherwise,
): TransactItem => ({
  operation: {
    ConditionCheck: { Key: recordKey(account, 'MEMBER', userId), ...ifEquals('invitationId', id) },
  },
  otherwise,
});
