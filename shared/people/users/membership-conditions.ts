import type { AccountId } from '../../id/account-id.ts';
import { recordKey } from '../../table/keys.ts';
import type { TransactItem } from '../../table/operations.ts';

/** Requires in the transaction that this is still an active member. */
export const activeMember = (
  accountId: AccountId,
  id: number,
  otherwise: TransactItem['otherwise'],
): TransactItem => ({
  operation: {
    ConditionCheck: {
      Key: recordKey(accountId, 'MEMBER', id),
      ConditionExpression: '#active = :yes AND attribute_not_exists(#invited)',
      ExpressionAttributeNames: { '#active': 'active', '#invited': 'invited' },
      ExpressionAttributeValues: { ':yes': true },
    },
  },
  otherwise,
});

/** Requires in the transaction that this is still an active administrator. */
export const activeAdministrator = (
  accountId: AccountId,
  id: number,
  otherwise: TransactItem['otherwise'],
): TransactItem => ({
  operation: {
    ConditionCheck: {
      Key: recordKey(accountId, 'MEMBER', id),
      ConditionExpression: '#active = :yes AND attribute_not_exists(#invited) AND #admin = :yes',
      ExpressionAttributeNames: { '#active': 'active', '#invited': 'invited', '#admin': 'accountAdmin' },
      ExpressionAttributeValues: { ':yes': true },
    },
  },
  otherwise,
});
