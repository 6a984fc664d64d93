import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import { childKey, digits, type Key, listPartition } from '../../table/keys.ts';

/** The two items of a submission: its facts, and its outcome. Only the outcome changes later. */
export const submissionParts = ['SUBMISSION', 'SUBMISSIONOUTCOME'] as const;
export type SubmissionPart = (typeof submissionParts)[number];

interface SubmissionPlace {
  account: AccountId;
  applicationId: string;
  id: number;
}

/** The month of a submission, such as `2026-03`. */
const monthOf = (instant: Date): string => instant.toISOString().slice(0, 7);

/**
 * The keys of an item of a submission. It is a child of its application, so it is deleted with the application. The list
 * index sorts the submissions of an account and month by time.
 */
export const submissionKeys = (
  part: SubmissionPart,
  { account, applicationId, id }: SubmissionPlace,
): Key & Record<'listPk' | 'listSk', string> => ({
  ...childKey({ account, parent: 'APPLICATION', parentId: applicationId, kind: part }, id),
  listPk: listPartition(account, part, [monthOf(mintedAt(id))]),
  listSk: digits(id),
});

/** Returns the partitions of the list index with the submissions between two ids, oldest first. */
export function submissionPartitions(
  account: AccountId,
  part: SubmissionPart,
  { from, to }: { from: number; to: number },
): string[] {
  const last = monthOf(mintedAt(to));
  const partitions: string[] = [];
  const month = mintedAt(from);
  month.setUTCDate(1);
  month.setUTCHours(0, 0, 0, 0);
  for (; monthOf(month) <= last; month.setUTCMonth(month.getUTCMonth() + 1))
    partitions.push(listPartition(account, part, [monthOf(month)]));
  return partitions;
}
