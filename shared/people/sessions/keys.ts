import { digestOf, loginFailuresAcrossAccountsPartition } from '../../security/keys.ts';
import type { Key } from '../../table/keys.ts';

/** The counter of the reset mails to an address, for all sources together. */
export const resetMailsAcrossAccountsKey = (name: string): Key => ({
  pk: loginFailuresAcrossAccountsPartition(name),
  sk: 'mails',
});

/** The counter of the attempts from a source with one login name, or with all names if `name` is omitted. */
export const loginFailuresAcrossAccountsKey = (
  counted: string,
  { name, source }: { name?: string; source: string },
): Key => ({
  pk: loginFailuresAcrossAccountsPartition(name ?? source),
  sk: name === undefined ? counted : `${counted}#${digestOf(source)}`,
});
