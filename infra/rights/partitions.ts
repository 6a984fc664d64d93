import type { AccountId } from '../../shared/id/account-id.ts';
import {
  type ChildKind,
  type ListedNoun,
  partitionAcrossAccounts,
  tenantPartition,
} from '../../shared/table/keys.ts';

/** A partition in every account. `*` matches any text. No account id contains a #. */
const inEveryAccount = (...parts: string[]): string => tenantPartition('*' as AccountId, ...parts);

/** The partitions that policies name as IAM's leading keys. */
export const partitions = {
  accounts: inEveryAccount(),
  subscribers: inEveryAccount('AUDIENCE', '*'),
  workQueues: inEveryAccount('BACKLOG', '*'),
  /** Call counters, which endpoints that only read write too. */
  calls: inEveryAccount('CALLS', '*'),
  childrenOf: (parent: ListedNoun, kind: ChildKind): string => inEveryAccount(parent, '*', kind),
  dataKeys: inEveryAccount('DATAKEYS'),
  digests: inEveryAccount('DIGEST', '*'),
  emails: partitionAcrossAccounts('EMAIL', '*'),
  events: inEveryAccount('EVENT'),
  inboxes: inEveryAccount('INBOX', '*'),
  loginFailures: partitionAcrossAccounts('LOGINFAILURES', '*'),
  passwordTokens: partitionAcrossAccounts('PASSWORDTOKEN', '*'),
  recordsOf: (noun: ListedNoun): string => inEveryAccount(noun, '*'),
  roles: inEveryAccount('ROLES'),
  sealHeads: inEveryAccount('SEALHEAD'),
  seals: inEveryAccount('SEAL'),
  sendings: inEveryAccount('SENDING', '*'),
  sweepPlaces: partitionAcrossAccounts('SWEEP', '*'),
  totals: inEveryAccount('TOTALS'),
  users: inEveryAccount('USER', '*'),
  triggers: inEveryAccount('WAKE'),
  webhooks: inEveryAccount('WEBHOOK'),
  webhookSubscriptions: inEveryAccount('WEBHOOKS'),
};
