import type { AccountId } from '../../id/account-id.ts';
import { recordKey } from '../../table/keys.ts';
import type { TransactItem } from '../../table/operations.ts';

/** Holds only while this is an active member of the account, as `isActiveMember` has it. */
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

/** Holds only while this is an active administrator of the account. */
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
