import type { AccountId } from '../../id/account-id.ts';
import { mintedAt } from '../../id/mint.ts';
import { childKey, digits, type Key, listPartition } from '../../table/keys.ts';

/** The two items of a submission: its facts, and its outcome. Only the outcome changes later. */
const submissionParts = ['SUBMISSION', 'SUBMISSIONOUTCOME'] as const;
export type SubmissionPart = (typeof submissionParts)[number];

interface SubmissionPlace {
  account: AccountId;
  applicationId: string;
  id: number;
}

/** The year of a submission. A test reads one partition after the other, so there must be few partitions. */
const yearOf = (id: number): number => mintedAt(id).getUTCFullYear();

/**
 * The keys of an item of a submission. It is a child of its application, so it is deleted with the application. The list
 * index sorts the submissions of an account and year by time.
 */
export const submissionKeys = (
  part: SubmissionPart,
  { account, applicationId, id }: SubmissionPlace,
): Key & Record<'listPk' | 'listSk', string> => ({
  ...childKey({ account, parent: 'APPLICATION', parentId: applicationId, kind: part }, id),
  listPk: listPartition(account, part, [String(yearOf(id))]),
  listSk: digits(id),
});

/** Returns the partitions of the list index with the submissions between two ids, oldest first. */
export const submissionPartitions = (
  account: AccountId,
  part: SubmissionPart,
  { from, to }: { from: number; to: number },
): string[] =>
  Array.from({ length: Math.max(0, yearOf(to) - yearOf(from) + 1) }, (_, n) =>
    listPartition(account, part, [String(yearOf(from) + n)]),
  );
