import type { AccountId } from '../id/account-id.ts';

/**
 * Every key string is built in this file. Tenant keys take the account first, so that a store cannot reach a record
 * without naming its account. Lookups across accounts say so in their names.
 */
export interface Key {
  pk: string;
  sk: string;
}

/**
 * A noun whose records are listed newest first, with an index partition and sharded totals. Its `store.ts` chooses it;
 * a test holds that no two stores share one and that none is a partition that this file uses for something else.
 */
export type ListedNoun = Uppercase<string>;

/** The id of a record: a number that was minted, or text without #. */
export type RecordId = number | string;

/** Sixteen digits hold any safe integer, so that ids sort as text the way they sort as numbers. */
export const digits = (id: number): string => String(id).padStart(16, '0');

/** An id inside a key. Throws for text that holds a #, which would name another record's partition. */
function idText(id: RecordId): string {
  if (typeof id === 'number') return digits(id);
  if (id === '' || id.includes('#')) throw new Error('The id of a record is empty or holds a #.');
  return id;
}

const tenant = (account: AccountId, ...parts: string[]): string => ['ACCOUNT', account, ...parts].join('#');

/** Whose partition it is, and what stands behind the account; undefined of one across accounts. */
export function readTenantPartition(pk: string): { account: AccountId; parts: string[] } | undefined {
  const [word, account, ...parts] = pk.split('#');
  return word === 'ACCOUNT' && account ? { account: account as AccountId, parts } : undefined;
}

export const accountKey = (account: AccountId): Key => ({ pk: tenant(account), sk: 'ACCOUNT' });

/** A policy on tickets that the account had, by the version of the account at which it came into force. */
export const slaPolicyKey = (account: AccountId, number: number): Key => ({
  pk: tenant(account, 'SLAPOLICY'),
  sk: digits(number),
});

/** A record of a listed noun. Its audit entries share its partition, so that one query reads both. */
export const recordKey = (account: AccountId, noun: ListedNoun, id: RecordId): Key => ({
  pk: tenant(account, noun, idText(id)),
  sk: 'RECORD',
});

/** What lists show of a large record. */
export const summaryKey = (account: AccountId, noun: ListedNoun, id: RecordId): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: 'SUMMARY',
});

/** How many children a record has: an attribute for each kind. It is there as long as the record. */
export const childTotalsKey = (account: AccountId, parent: ListedNoun, parentId: RecordId): Key => ({
  pk: recordKey(account, parent, parentId).pk,
  sk: 'TOTALS',
});

/** What a record's children are called in their keys. */
export type ChildKind = Uppercase<string>;

/** Where the children of one kind that a record has lie: where the list of them is read, too. */
export interface Parenthood {
  account: AccountId;
  parent: ListedNoun;
  parentId: RecordId;
  kind: ChildKind;
}

export const childPartition = ({ account, parent, parentId, kind }: Parenthood): string =>
  tenant(account, parent, idText(parentId), kind);

export const childKey = (of: Parenthood, id: number): Key => ({ pk: childPartition(of), sk: digits(id) });

/** The partitions of a noun's records in every account, as IAM's leading keys. */
export const recordPartitions = (noun: ListedNoun): string => `ACCOUNT#*#${noun}#*`;

/** The partitions of the children of this kind that a noun's records in every account have, as IAM's leading keys. */
export const childPartitions = (parent: ListedNoun, kind: ChildKind): string =>
  `ACCOUNT#*#${parent}#*#${kind}`;

/** Sorts before RECORD, so that a backward query meets the record first and then its newest entries. */
export const auditKey = (account: AccountId, noun: ListedNoun, id: RecordId, eventId: number): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: `AUDIT#${digits(eventId)}`,
});

/** The sort keys of all audit entries in a record's partition. */
export const auditRange = { from: 'AUDIT#', to: 'AUDIT#~' } as const;

/** The sort keys of a record and all its audit entries, whatever else its partition holds. */
export const recordAndAuditRange = { from: 'AUDIT#', to: 'RECORD' } as const;

/**
 * What a list of a noun is about, where it is not about the whole account: a lookup's table and field, a merchant.
 * No part holds a #.
 */
export type Scope = readonly string[];

/** A place in a list: `order` is a number that was minted, so that the newest is the last. */
export const listKey = (account: AccountId, noun: ListedNoun, order: number, scope: Scope = []) => ({
  listPk: listPartition(account, noun, scope),
  listSk: digits(order),
});

export const listPartition = (account: AccountId, noun: ListedNoun, scope: Scope = []): string =>
  tenant(account, noun, ...scope.map(idText));

/** The indexes that hold a part of a noun's records, by what a record says of itself. */
export type View = 'state' | 'holder';

/** A place in a view: its partition is made of the parts, none of which holds a #, and ordered as the list is. */
export const viewKey = (
  account: AccountId,
  noun: ListedNoun,
  view: View,
  parts: Scope,
  order: number,
): Record<string, string> => ({
  [`${view}Pk`]: listPartition(account, noun, parts),
  [`${view}Sk`]: digits(order),
});

/** How many partitions what is due of a noun is spread over: all accounts write to them. */
export const dueShards = 8;

/** A record of some account at whose instant something is due. */
export interface Due {
  account: AccountId;
  noun: ListedNoun;
  /** A number that was minted, or a text such as the name of a backlog. */
  id: number | string;
  /** ISO 8601 with milliseconds. */
  at: string;
}

/**
 * Across accounts: a place in a shard of what is due of a noun, by the instant. Each noun has shards of its own, so that
 * whoever looks for one never reads another's.
 */
export const dueAcrossAccountsKey = ({ account, noun, id, at }: Due) => ({
  duePk: dueAcrossAccountsPartition(noun, dueShardOf(account, id)),
  dueSk: [at, account, noun, typeof id === 'number' ? digits(id) : id].join('#'),
});

/** Ids are minted, so that any digits spread them; of texts each account has few, so that it has to count too. */
function dueShardOf(account: AccountId, id: number | string): number {
  if (typeof id === 'number') return id % dueShards;
  let sum = 0;
  for (const unit of `${account}#${id}`) sum = (sum * 31 + unit.charCodeAt(0)) % 1_000_003;
  return sum % dueShards;
}

/** Tickets were the first that were due, and stand where they always stood. */
export const dueAcrossAccountsPartition = (noun: ListedNoun, shard: number): string =>
  ['DUE', ...(noun === 'TICKET' ? [] : [noun]), shard].join('#');

/** The sort keys of what was due before an instant, and after something else that was due, or from an instant on. */
export const dueRange = (before: Date, after?: Due | string): { from: string; to: string } => ({
  // Nothing sorts between a key and the same key with a space behind it, nor between an instant and its # keys.
  from: typeof after === 'object' ? `${dueAcrossAccountsKey(after).dueSk} ` : (after ?? '0'),
  to: before.toISOString(),
});

/** What a sort key of `dueAcrossAccountsKey` says. */
export function readDueKey(dueSk: string): Due {
  const [at = '', account = '', noun = '', ...id] = dueSk.split('#');
  const text = id.join('#');
  return {
    account: account as AccountId,
    noun: noun as ListedNoun,
    id: /^\d{16}$/.test(text) ? Number(text) : text,
    at,
  };
}

/** What a backlog is called within its account. */
export type BacklogName = `WEBHOOK#${string}` | 'MAIL' | 'SMS' | 'JOBS';

export const webhookBacklogName = (webhookId: number): BacklogName => `WEBHOOK#${digits(webhookId)}`;

/** The id of the webhook whose backlog has this name; undefined of any other. */
export function readWebhookBacklogName(name: BacklogName): number | undefined {
  const [webhook, id] = name.split('#');
  return webhook === 'WEBHOOK' ? Number(id) : undefined;
}

/** The name of a backlog in a text from a message or a key, or undefined where it is none. */
export const asBacklogName = (text: string): BacklogName | undefined =>
  /^(WEBHOOK#\d{16}|MAIL|SMS|JOBS)$/.test(text) ? (text as BacklogName) : undefined;

export const backlogPartition = (account: AccountId, name: BacklogName): string =>
  tenant(account, 'BACKLOG', name);

/** The partitions of every account's backlogs, as IAM's leading keys. */
export const backlogPartitions = 'ACCOUNT#*#BACKLOG#*';

/** The state of a backlog. It stands right before the pointers, so that one query reads both. */
export const backlogHeadKey = (account: AccountId, name: BacklogName): Key => ({
  pk: backlogPartition(account, name),
  sk: 'HEAD',
});

/**
 * Says that an entry of a backlog is open, and when it is due: ISO 8601 with milliseconds. `once`: for one attempt beside its
 * schedule, which comes before all others.
 */
export const openEntryKey = (
  account: AccountId,
  name: BacklogName,
  { due, id, once }: { due: string; id: string; once?: true },
): Key => ({
  pk: backlogPartition(account, name),
  sk: ['OPEN', once ? `0${due}` : due, idText(id), ...(once ? ['ONCE'] : [])].join('#'),
});

/** What a sort key of `openEntryKey` says; undefined of any other. */
export function readOpenEntryKey(sk: string): { due: string; id: string; once?: true } | undefined {
  const [open, due, id, once] = sk.split('#');
  if (open !== 'OPEN' || !due || !id) return undefined;
  return once === 'ONCE' ? { due: due.slice(1), id, once: true } : { due, id };
}

/** The sort keys of a backlog's state and all its pointers, and of the pointers alone. */
export const headAndOpenRange = { from: 'HEAD', to: 'OPEN#~' } as const;
export const openRange = { from: 'OPEN#', to: 'OPEN#~' } as const;

export const backlogEntryKey = (account: AccountId, name: BacklogName, id: string): Key => ({
  pk: backlogPartition(account, name),
  sk: `ENTRY#${idText(id)}`,
});

/** The sort keys of all entries of a backlog. */
export const backlogEntryRange = { from: 'ENTRY#', to: 'ENTRY#~' } as const;

/** Deliveries of a webhook that were given up within an hour, such as `2026-03-02T10`: before the state, where no query reads. */
export const givenUpKey = (account: AccountId, name: BacklogName, hour: string): Key => ({
  pk: backlogPartition(account, name),
  sk: `GIVENUP#${hour}`,
});

/** What is known of the mail and of the text messages of every account that go out, as IAM's leading keys. */
export const sendingPartitions = 'ACCOUNT#*#SENDING#*';

/** How often it was begun to send an entry of a backlog. */
export const begunKey = (account: AccountId, name: BacklogName, entryId: string): Key => ({
  pk: tenant(account, 'SENDING', name),
  sk: `BEGUN#${idText(entryId)}`,
});

/** Which entries of a backlog a user got in an hour, such as `2026-03-01T09`. */
export const sentInHourKey = (account: AccountId, name: BacklogName, userId: number, hour: string): Key => ({
  pk: tenant(account, 'SENDING', name),
  sk: `HOUR#${digits(userId)}#${hour}`,
});

/** A digest of an account: how often there is one, and which of them. Neither holds a #. */
export interface DigestOf {
  account: AccountId;
  cadence: string;
  period: string;
}

/** The partitions of every account's digests, as IAM's leading keys. */
export const digestPartitions = 'ACCOUNT#*#DIGEST#*';

export const digestPartition = ({ account, cadence, period }: DigestOf): string =>
  tenant(account, 'DIGEST', idText(cadence), idText(period));

/** A digest takes nothing more. */
export const digestClosedKey = (digest: DigestOf): Key => ({ pk: digestPartition(digest), sk: 'CLOSED' });

/** An event in a user's part of a digest. */
export const digestRowKey = (digest: DigestOf, userId: number, eventId: number): Key => ({
  pk: digestPartition(digest),
  sk: `ROW#${digits(userId)}#${digits(eventId)}`,
});

/** The sort keys of a user's rows in a digest; and of the rows of all users behind one. */
export const digestRowsOf = (userId: number) => ({
  from: `ROW#${digits(userId)}#`,
  to: `ROW#${digits(userId)}#~`,
});
export const digestRowsAfter = (userId: number) => ({ from: `ROW#${digits(userId)}#~`, to: 'ROW#~' });

/** What a sort key of `digestRowKey` says. */
export function readDigestRowKey(sk: string): { userId: number; eventId: number } {
  const [, userId, eventId] = sk.split('#');
  return { userId: Number(userId), eventId: Number(eventId) };
}

/** In which digest of a cadence an event has arrived for a user. */
export const digestArrivalKey = (
  account: AccountId,
  cadence: string,
  userId: number,
  eventId: number,
): Key => ({
  pk: tenant(account, 'DIGEST', idText(cadence)),
  sk: `ARRIVED#${digits(userId)}#${digits(eventId)}`,
});

/** How many items totals are spread over: one alone would make every two transactions conflict. */
export const totalShards = 16;

/**
 * One shard of an account's totals: an attribute for each noun, and for each month of events. `within` names totals of
 * their own, such as those of what somebody holds.
 */
export const totalsKey = (account: AccountId, shard: number, within: Scope = []): Key => ({
  pk: totalsPartition(account, within),
  sk: String(shard).padStart(2, '0'),
});

export const totalsPartition = (account: AccountId, within: Scope = []): string =>
  tenant(account, 'TOTALS', ...within.map(idText));

export const eventKey = (account: AccountId, id: number): Key => ({
  pk: eventPartition(account),
  sk: digits(id),
});

/** The sort keys of an account's events from one id to another, both included. */
export const eventRange = (from: number, to: number): { from: string; to: string } => ({
  from: digits(from),
  to: digits(to),
});

export const eventPartition = (account: AccountId): string => tenant(account, 'EVENT');

/** The partitions of every account's seals and of what is known of the newest one, as IAM's leading keys. */
export const sealPartitions = 'ACCOUNT#*#SEAL';
export const sealHeadPartitions = 'ACCOUNT#*#SEALHEAD';

/** The seals of an account's events, and the leaves that they were made of. */
export const sealPartition = (account: AccountId): string => tenant(account, 'SEAL');

/** A seal, by the instant up to which it goes: ISO 8601 with milliseconds. */
export const sealKey = (account: AccountId, to: string): Key => ({
  pk: sealPartition(account),
  sk: `SEAL#${to}`,
});

/** The sort keys of all seals of an account, and of those that end later than an instant. */
export const sealRange = { from: 'SEAL#', to: 'SEAL#~' } as const;
// Nothing sorts between a key and the same key with a space behind it.
export const sealsAfter = (instant: string) => ({ from: `SEAL#${instant} `, to: 'SEAL#~' });

/** The leaves of a seal, by the root that they make: whatever was written under it is right or can be seen to be wrong. */
export const sealLeavesKey = (account: AccountId, root: string): Key => ({
  pk: sealPartition(account),
  sk: `LEAVES#${root}`,
});

/** The newest seal of an account, apart from the seals: who cuts some off has to change it too. */
export const sealHeadKey = (account: AccountId): Key => ({
  pk: tenant(account, 'SEALHEAD'),
  sk: 'SEALHEAD',
});

/** The partitions of every account's wake-ups, as IAM's leading keys. */
export const wakePartitions = 'ACCOUNT#*#WAKE';

/** A wake-up of one of an account's backlogs, for the relay alone. */
export const wakeKey = (account: AccountId, id: number): Key => ({
  pk: tenant(account, 'WAKE'),
  sk: digits(id),
});

export const apiKeyKey = (account: AccountId, id: number): Key => ({
  pk: apiKeyPartition(account),
  sk: digits(id),
});

export const apiKeyPartition = (account: AccountId): string => tenant(account, 'APIKEY');

export const webhookKey = (account: AccountId, id: number): Key => ({
  pk: webhookPartition(account),
  sk: digits(id),
});

/** The partitions of every account's webhooks, of their subscriptions and of data keys, as IAM's leading keys. */
export const webhookPartitions = 'ACCOUNT#*#WEBHOOK';
export const webhookSubscriptionsPartitions = 'ACCOUNT#*#WEBHOOKS';
export const dataKeysPartitions = 'ACCOUNT#*#DATAKEYS';

export const webhookPartition = (account: AccountId): string => tenant(account, 'WEBHOOK');

/** How the deliveries of a webhook fare, beside its record. */
export const webhookHealthKey = (account: AccountId, id: number): Key => ({
  pk: webhookPartition(account),
  sk: `${digits(id)}#HEALTH`,
});

/** Which kinds of events each webhook of an account wants: one small item, so that an event finds them by one read. */
export const webhookSubscriptionsKey = (account: AccountId): Key => ({
  pk: tenant(account, 'WEBHOOKS'),
  sk: 'SUBSCRIPTIONS',
});

/** How many of a noun with a quota the account has; the condition on it enforces the quota. */
export const quotaKey = (account: AccountId, noun: 'APIKEY' | 'WEBHOOK'): Key => ({
  pk: tenant(account, 'QUOTA'),
  sk: noun,
});

/** How many of a noun there are in a scope; the condition on it enforces the quota. */
export const scopeCountKey = (account: AccountId, noun: ListedNoun, scope: Scope): Key => ({
  pk: tenant(account, 'QUOTA'),
  sk: [noun, ...scope.map(idText)].join('#'),
});

/** Marks that a quota was met in a minute and its event was emitted. */
export const quotaMetKey = (account: AccountId, quota: string, minute: string): Key => ({
  pk: tenant(account, 'QUOTA'),
  sk: `MET#${quota}#${minute}`,
});

/** The records of an account that hold one value of a kind; `blind` is its keyed hash. */
export const collisionPartition = (account: AccountId, kind: string, blind: string): string =>
  tenant(account, 'COLLISION', kind, blind);

/** Says which MID of the account has a number, however its letters are capitalised. */
export const midNumberKey = (account: AccountId, number: string): Key => ({
  pk: tenant(account, 'MIDNUMBER', number.toUpperCase()),
  sk: 'MIDNUMBER',
});

/** How many ticket numbers an account has given out. No transaction touches it. */
export const ticketNumbersKey = (account: AccountId): Key => ({
  pk: tenant(account, 'TICKETNUMBERS'),
  sk: 'COUNT',
});

/** Says which ticket of the account has a number such as `TKT-000123`. */
export const ticketNumberKey = (account: AccountId, ticketNumber: string): Key => ({
  pk: tenant(account, 'TICKETNUMBER', ticketNumber),
  sk: 'TICKETNUMBER',
});

/** What a bulk did to each ticket that it changed. */
export const bulkPartition = (account: AccountId, bulkId: string): string =>
  tenant(account, 'BULK', idText(bulkId));

export const bulkKey = (account: AccountId, bulkId: string, ticketId: number): Key => ({
  pk: bulkPartition(account, bulkId),
  sk: digits(ticketId),
});

/** Says which mapping a partner's category has. */
export const partnerCategoryKey = (account: AccountId, partnerCategoryId: number): Key => ({
  pk: tenant(account, 'PARTNERCATEGORY', String(partnerCategoryId)),
  sk: 'PARTNERCATEGORY',
});

/** Says that a field of a record holds the value that the partition stands for. */
export const collisionKey = (
  account: AccountId,
  kind: string,
  blind: string,
  { type, id, field }: { type: string; id: number | string; field: string },
): Key => ({ pk: collisionPartition(account, kind, blind), sk: [type, id, field].join('#') });

/** All roles of an account are one item: authentication reads them with everything else in one request. */
export const rolesKey = (account: AccountId): Key => ({ pk: tenant(account, 'ROLES'), sk: 'ROLES' });

/** The wrapped data keys of an account: authentication reads them along where the contract is sensitive. */
export const dataKeysKey = (account: AccountId): Key => ({
  pk: tenant(account, 'DATAKEYS'),
  sk: 'DATAKEYS',
});

/** Whose notifications: each account keeps an inbox for each of its users. */
export interface InboxOwner {
  account: AccountId;
  userId: number;
}

const inInbox = ({ account, userId }: InboxOwner, sk: string): Key => ({
  pk: tenant(account, 'INBOX', digits(userId)),
  sk,
});

/** The partitions of every account's inboxes, as IAM's leading keys. */
export const inboxPartitions = 'ACCOUNT#*#INBOX#*';

/** What is counted of an inbox, and up to where all of it is read. */
export const inboxKey = (owner: InboxOwner): Key => inInbox(owner, 'INBOX');

/** Says that an event has arrived in an inbox, and where its notification is. */
export const arrivalKey = (owner: InboxOwner, eventId: number): Key =>
  inInbox(owner, `EVENT#${digits(eventId)}`);

/** The place of a notification: among those that were marked read one by one, or filed as unread at a position. */
export const notificationKey = (
  owner: InboxOwner,
  { id, position, filedAt }: { id: number; position: number; filedAt?: number },
): Key =>
  inInbox(
    owner,
    (filedAt === undefined ? ['READ', position, id] : ['UNREAD', filedAt, position, id])
      .map((part) => (typeof part === 'number' ? digits(part) : part))
      .join('#'),
  );

/** The sort keys of notifications that were filed as unread after a position. */
export const filedAfter = (position: number) => ({ from: `UNREAD#${digits(position + 1)}`, to: 'UNREAD#~' });

/** The sort keys of notifications that were filed as unread up to a position. */
export const filedUpTo = (position: number) => ({ from: 'UNREAD#', to: `UNREAD#${digits(position)}#~` });

/** The sort keys of notifications that were marked read one by one. */
export const markedReadRange = { from: 'READ#', to: 'READ#~' } as const;

/**
 * Who is told of what in an account: by kind of event a row for each member with a rule for it; the administrators; the
 * users whose rows are to be looked at again; what rows each user has.
 */
export const audiencePartition = (account: AccountId, of: AudienceName): string =>
  tenant(account, 'AUDIENCE', of);

/** The partitions of every account's audiences, as IAM's leading keys. */
export const audiencePartitions = 'ACCOUNT#*#AUDIENCE#*';

export type AudienceName = EventKindName | 'ADMINISTRATORS' | 'CHANGED' | 'ROWS';
type EventKindName = Lowercase<string>;

export const audienceKey = (account: AccountId, of: AudienceName, userId: number): Key => ({
  pk: audiencePartition(account, of),
  sk: digits(userId),
});

/** The sort keys of an audience behind a user. */
export const audienceRange = (after: number): { from: string; to: string } => ({
  from: digits(after + 1),
  to: '~',
});

/** The partitions of every account's users and of its roles, as IAM's leading keys. */
export const userPartitions = 'ACCOUNT#*#USER#*';
export const rolesPartitions = 'ACCOUNT#*#ROLES';

/** A user lives in the account where it was made. */
export const userKey = (home: AccountId, userId: number): Key => ({
  pk: tenant(home, 'USER', digits(userId)),
  sk: 'USER',
});

/** `holder` is the user's home account or the API key's account. */
export const sessionKey = (holder: AccountId, sessionId: string): Key => ({
  pk: tenant(holder, 'SESSION', sessionId),
  sk: 'SESSION',
});

export const idempotencyKey = (
  account: AccountId,
  principalKey: string,
  route: string,
  digest: string,
): Key => ({
  pk: tenant(account, 'IDEMPOTENCY', principalKey),
  sk: `${route}#${digest}`,
});

/** The slots a rotation has given out since it was last reset. No transaction touches it. */
export const slotKey = (account: AccountId, noun: ListedNoun, id: number, epoch: number): Key => ({
  pk: recordKey(account, noun, id).pk,
  sk: `SLOT#${epoch}`,
});

/** How often a principal called in a minute, such as `2026-03-01T09:30`. */
export const callsKey = (holder: AccountId, principalKey: string, minute: string): Key => ({
  pk: tenant(holder, 'CALLS', principalKey),
  sk: `MINUTE#${minute}`,
});

/** Marks that a principal met its limit in a minute and its event was emitted. */
export const limitedKey = (holder: AccountId, principalKey: string, minute: string): Key => ({
  pk: tenant(holder, 'CALLS', principalKey),
  sk: `LIMITED#${minute}`,
});

/**
 * Marks that a request to a route ended in 500 in a minute and its event was emitted. It is among the counters of calls,
 * because functions that only read may update those.
 */
export const systemErrorKey = (account: AccountId, route: string, minute: string): Key => ({
  pk: tenant(account, 'CALLS', 'SYSTEM_ERROR'),
  sk: `${route}#${minute}`,
});

/** The hash of an application's key, beside its record. */
export const appKeyKey = (account: AccountId, applicationId: string): Key => ({
  pk: recordKey(account, applications, applicationId).pk,
  sk: 'APPKEY',
});

const applications: ListedNoun = 'APPLICATION';

/** How many wrong keys for an application came from a network. Where calls are counted, so that whoever only reads may. */
export const appKeyFailuresKey = (account: AccountId, applicationId: string, network: string): Key => ({
  pk: tenant(account, 'CALLS', `applicant:${applicationId}`),
  sk: `WRONG#${network}`,
});

/** When an API key was last used, to the hour. */
export const lastUseKey = (holder: AccountId, principalKey: string): Key => ({
  pk: tenant(holder, 'CALLS', principalKey),
  sk: 'LAST',
});

/** Across accounts: operators go over all of them. Written with each account. */
export const accountsAcrossAccountsPartition = 'ACCOUNTS';

export const listedAccountAcrossAccountsKey = (account: AccountId): Key => ({
  pk: accountsAcrossAccountsPartition,
  sk: account,
});

/** Across accounts: where the next run of a sweep goes on in a shard of what is due. */
export const sweepPlaceAcrossAccountsKey = (noun: ListedNoun, shard: number): Key => ({
  pk: `SWEEP#${noun}`,
  sk: `PLACE#${shard}`,
});
export const sweepPlacePartitions = 'SWEEP#*';

/** Across accounts: how far a replay has come, by the digest of what was asked for. */
export const replayAcrossAccountsKey = (digest: string): Key => ({ pk: `REPLAY#${digest}`, sk: 'PROGRESS' });

/** Across accounts: whoever presents an invitation or a reset token is not authenticated and names no account. */
export const passwordTokenAcrossAccountsKey = (digest: string): Key => ({
  pk: `PASSWORDTOKEN#${digest}`,
  sk: 'TOKEN',
});

/** Across accounts: failed logins of a name from a source, by their digest. */
export const loginFailuresAcrossAccountsKey = (digest: string): Key => ({
  pk: `LOGINFAILURES#${digest}`,
  sk: 'FAILURES',
});

/** Across accounts: a login knows an email and no account. */
export const emailAcrossAccountsKey = (email: string): Key => ({ pk: `EMAIL#${email}`, sk: 'EMAIL' });

/**
 * What an item is, by its key alone, for whoever goes over the whole table: its kind, such as `LEAD RECORD` or `LEAD NOTE`,
 * and the account it is of. The directory's items are of the accounts that they name.
 */
export function kindOfKey({ pk, sk }: Key): { account?: AccountId; kind: string } {
  const [space = '', account = '', noun = space, , child = ''] = pk.split('#');
  const words = [noun, child, sk.split('#').find(isWord) ?? ''].filter(isWord);
  const kind = [...new Set(words)].join(' ');
  if (pk === accountsAcrossAccountsPartition) return { account: sk as AccountId, kind };
  return space === 'ACCOUNT' ? { account: account as AccountId, kind } : { kind };
}

const isWord = (part: string): boolean => /^[A-Z]{2,}$/.test(part);

/** Of no account, in a partition that every function may read as it reads those of accounts; nothing is ever there. */
export const nothingKey: Key = { pk: 'ACCOUNT#', sk: 'NOTHING' };

/**
 * Partitions that even a read-only endpoint writes to: the request counters of principals, and the event when one
 * meets its limit or was shown what is sensitive. Written as IAM's leading keys; no account id contains a #.
 */
export const countedPartitions = {
  calls: 'ACCOUNT#*#CALLS#*',
  events: 'ACCOUNT#*#EVENT',
  totals: 'ACCOUNT#*#TOTALS',
} as const;

/** As IAM's leading keys. */
export const accountPartitions = 'ACCOUNT#*';
export const emailPartitionsAcrossAccounts = 'EMAIL#*';
export const passwordTokenPartitionsAcrossAccounts = 'PASSWORDTOKEN#*';
export const loginFailuresPartitionsAcrossAccounts = 'LOGINFAILURES#*';
