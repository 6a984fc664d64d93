import { object, oneOf, type Static, string } from '../../schema.ts';

/** The user or the child account that receives a share. */
export const Beneficiary = object({
  type: oneOf(['user', 'account'], { description: '`account`: an account whose parent is this account.' }),
  id: string({
    minLength: 1,
    maxLength: 64,
    description: 'The id of the user or of the child account.',
    examples: ['214563398120449'],
  }),
});
export type Beneficiary = Static<typeof Beneficiary>;

/** Returns the name of a beneficiary in keys and comparisons: `user:1234` or `account:acme`. */
export const beneficiaryKey = ({ type, id }: Beneficiary): string => `${type}:${id}`;

/** Returns the beneficiary that `beneficiaryKey` named. */
export function beneficiaryIn(key: string): Beneficiary {
  const at = key.indexOf(':');
  return { type: key.slice(0, at) === 'account' ? 'account' : 'user', id: key.slice(at + 1) };
}
