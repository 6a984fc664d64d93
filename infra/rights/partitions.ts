import { erasedAccountsAcrossAccountsPartition } from '../../shared/accounts/keys.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { dueAcrossAccountsPartition, sweepPlaceAcrossAccountsKey } from '../../shared/table/due-keys.ts';
import {
  accountRecordPartition,
  type ChildKind,
  type ListedNoun,
  partitionAcrossAccounts,
  tenantPartition,
} from '../../shared/table/keys.ts';

/** Returns a pattern that matches the same partition in every account, with `*` in place of the account id. */
const inEveryAccount = (part: string, ...parts: string[]): string =>
  tenantPartition('*' as AccountId, part, ...parts);

/** Patterns of partition keys, for the condition `dynamodb:LeadingKeys` in policies. */
export const partitions = {
  /** The accounts' own records. */
  accountRecords: accountRecordPartition('*' as AccountId),
  /** The list of all accounts. */
  accounts: partitionAcrossAccounts('ACCOUNTS'),
  /** All partitions of accounts, except the accounts' own records. */
  ofAccounts: inEveryAccount('*'),
  apiKeys: inEveryAccount('APIKEY'),
  bankStatements: inEveryAccount('BANKSTATEMENT', '*'),
  statementDays: inEveryAccount('STATEMENTDAYS'),
  bodies: inEveryAccount('BODIES'),
  bodiesOfRecords: inEveryAccount('BODIESOF', '*'),
  subscribers: inEveryAccount('SUBSCRIBERS', '*'),
  workQueues: inEveryAccount('WORKQUEUE', '*'),
  /** Counters of calls. Read-only endpoints may change these counters, but no records. */
  calls: inEveryAccount('CALLS', '*'),
  childAccounts: inEveryAccount('CHILDACCOUNT'),
  childrenOf: (parent: ListedNoun, kind: ChildKind): string => inEveryAccount(parent, '*', kind),
  dataKeys: inEveryAccount('DATAKEYS'),
  digests: inEveryAccount('DIGEST', '*'),
  /** The shards of the index `due` with records of this type. */
  dueOf: (noun: ListedNoun): string => dueAcrossAccountsPartition(noun, '?'),
  emails: partitionAcrossAccounts('EMAIL', '*'),
  erasedAccounts: erasedAccountsAcrossAccountsPartition(),
  events: inEveryAccount('EVENT'),
  inboxes: inEveryAccount('INBOX', '*'),
  invoiceNumbers: inEveryAccount('INVOICENUMBER', '*'),
  ledgers: inEveryAccount('LEDGER', '*'),
  listOf: (noun: ListedNoun): string => inEveryAccount(noun),
  loginFailures: partitionAcrossAccounts('LOGINFAILURES', '*'),
  mailLimits: inEveryAccount('MAILLIMIT', '*'),
  mailMessages: inEveryAccount('MAILMESSAGE', '*'),
  mailThreads: inEveryAccount('MAILTHREAD', '*'),
  mailThreadIds: inEveryAccount('MAILTHREADID', '*'),
  partner: inEveryAccount('PARTNER'),
  partnerCategories: inEveryAccount('PARTNERCATEGORY', '*'),
  partnerTickets: inEveryAccount('PARTNERTICKET', '*'),
  mailDomains: inEveryAccount('MAILDOMAIN', '*'),
  mailDomainNames: inEveryAccount('MAILDOMAINNAME', '*'),
  mailDomainHolders: partitionAcrossAccounts('MAILDOMAINHOLDER', '*'),
  midNumbers: inEveryAccount('MIDNUMBER', '*'),
  passkeyHolders: partitionAcrossAccounts('PASSKEYHOLDER', '*'),
  passwordTokens: partitionAcrossAccounts('PASSWORDTOKEN', '*'),
  quotas: inEveryAccount('QUOTA'),
  recordsOf: (noun: ListedNoun): string => inEveryAccount(noun, '*'),
  replays: partitionAcrossAccounts('REPLAY', '*'),
  residuals: {
    agreements: inEveryAccount('RESIDUALSCOPES'),
    balances: inEveryAccount('RESIDUALBALANCE', '*'),
    books: inEveryAccount('RESIDUALBOOK'),
    lines: inEveryAccount('RESIDUALLINES', '*'),
    months: inEveryAccount('RESIDUALMONTH', '*'),
    openAdjustments: inEveryAccount('RESIDUALOPEN'),
    results: inEveryAccount('RESIDUALRESULT', '*'),
    rows: inEveryAccount('RESIDUALROWS', '*'),
  },
  roles: inEveryAccount('ROLES'),
  schedules: inEveryAccount('SCHEDULE'),
  searchIndex: inEveryAccount('SEARCH', '*'),
  sealHeads: inEveryAccount('SEALHEAD'),
  seals: inEveryAccount('SEAL'),
  sendings: inEveryAccount('SENDING', '*'),
  sweepPlacesOf: (noun: ListedNoun): string => sweepPlaceAcrossAccountsKey(noun, 0).pk,
  slaPolicies: inEveryAccount('SLAPOLICY'),
  ticketNumbers: inEveryAccount('TICKETNUMBER*'),
  totals: inEveryAccount('TOTALS'),
  /** The totals of holders, such as the leads of a user. */
  totalsWithin: inEveryAccount('TOTALS', '*'),
  users: inEveryAccount('USER', '*'),
  triggers: inEveryAccount('TRIGGER'),
  vanityDomains: inEveryAccount('VANITYDOMAIN'),
  vanityDomainHolders: partitionAcrossAccounts('VANITYDOMAINHOLDER', '*'),
  webhooks: inEveryAccount('WEBHOOK'),
  webhookSubscriptions: inEveryAccount('WEBHOOKS'),
};
