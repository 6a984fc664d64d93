import type { AccountId } from '../../id/account-id.ts';
import { recordKey } from '../../table/keys.ts';
import type { TransactItem } from '../../table/operations.ts';

type Condition = (account: AccountId, id: number, otherwise: TransactItem['otherwise']) => TransactItem;

const isActive = '#active = :yes AND attribute_not_exists(#invited)';
const names = { '#active': 'active', '#invited': 'invited' };

const condition =
  (ConditionExpression: string, ExpressionAttributeNames: Record<string, string>): Condition =>
  (account, id, otherwise) => {
    const values = { ExpressionAttributeNames, ExpressionAttributeValues: { ':yes': true } };
    const Key = recordKey(account, 'MEMBER', id);
    return { operation: { ConditionCheck: { Key, ConditionExpression, ...values } }, otherwise };
  };

/** Fails the transaction unless the user is still an active member. */
export const activeMember = condition(isActive, names);

/** Fails the transaction unless the user is still an active administrator. */
export const activeAdministrator = condition(`${isActive} AND #admin = :yes`, {
  ...names,
  '#admin': 'accountAdmin',
});
