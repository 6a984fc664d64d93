import type { AccountId } from '../id/account-id.ts';
import { digits, idText, type Key, tenantPartition } from '../table/keys.ts';

/** The name of a backlog within its account. */
export type BacklogName = `WEBHOOK#${string}` | 'MAIL' | 'SMS' | 'JOBS';

export const webhookBacklogName = (webhookId: number): BacklogName => `WEBHOOK#${digits(webhookId)}`;

/** The id of the webhook whose backlog has this name; undefined for any other backlog. */
export function readWebhookBacklogName(name: BacklogName): number | undefined {
  const [webhook, id] = name.split('#');
  return webhook === 'WEBHOOK' ? Number(id) : undefined;
}

/** The name of a backlog in a text from a message or a key; undefined if the text is no such name. */
export const asBacklogName = (text: string): BacklogName | undefined =>
  /^(WEBHOOK#\d{16}|MAIL|SMS|JOBS)$/.test(text) ? (text as BacklogName) : undefined;

export const backlogPartition = (account: AccountId, name: BacklogName): string =>
  tenantPartition(account, 'BACKLOG', name);

/** The state of a backlog. It sorts right before the pointers, so that one query reads both. */
export const backlogHeadKey = (account: AccountId, name: BacklogName): Key => ({
  pk: backlogPartition(account, name),
  sk: 'HEAD',
});

/**
 * Points to an open entry of a backlog, by the instant at which it is due: ISO 8601 with milliseconds. `once`: for one
 * attempt outside the schedule, which sorts before all others.
 */
export const openEntryKey = (
  account: AccountId,
  name: BacklogName,
  { due, id, once }: { due: string; id: string; once?: true },
): Key => ({
  pk: backlogPartition(account, name),
  sk: ['OPEN', once ? `0${due}` : due, idText(id), ...(once ? ['ONCE'] : [])].join('#'),
});

/** The content of a sort key of `openEntryKey`; undefined for any other sort key. */
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

/**
 * The number of deliveries of a webhook that were given up within an hour, such as `2026-03-02T10`. It sorts before the
 * state, where no query of the backlog reads.
 */
export const givenUpKey = (account: AccountId, name: BacklogName, hour: string): Key => ({
  pk: backlogPartition(account, name),
  sk: `GIVENUP#${hour}`,
});
