import type { AccountId } from '../accounts/account-id.ts';
import { recordKey } from '../table/keys.ts';
import type { Change } from '../table/write.ts';

/** Holds only while this is an active member of the account, as `isActiveMember` has it. */
export const activeMember = (accountId: string, id: number, otherwise: Change['otherwise']): Change =>
  check(accountId, id, otherwise, { active: true });

/** Holds only while this is an active administrator of the account. */
export const activeAdministrator = (accountId: string, id: number, otherwise: Change['otherwise']): Change =>
  check(accountId, id, otherwise, { active: true, accountAdmin: true });

function check(
  accountId: string,
  id: number,
  otherwise: Change['otherwise'],
  flags: { active: true; accountAdmin?: true },
): Change {
  const names = Object.keys(flags);
  return {
    operation: {
      ConditionCheck: {
        Key: recordKey(accountId as AccountId, 'MEMBER', id),
        ConditionExpression: [
          'attribute_not_exists(#invited)',
          ...names.map((name) => `#${name} = :yes`),
        ].join(' AND '),
        ExpressionAttributeNames: Object.fromEntries(['invited', ...names].map((name) => [`#${name}`, name])),
        ExpressionAttributeValues: { ':yes': true },
      },
    },
    otherwise,
  };
}
