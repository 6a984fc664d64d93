import type { ErasureCounts, FinalCheck } from './erase-account.ts';
import type { Counts } from './erase-items.ts';

/** Counts by what is counted, in the order of its name. */
export const sorted = (counts: Readonly<Counts>): [string, number][] =>
  Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1));

/** A line for each kind of what was removed, or would be. */
export const describeCounts = ({
  items,
  users,
  usersRemoved,
  files,
  deadLetters,
}: ErasureCounts): string[] => [
  ...sorted(items).map(([type, many]) => `  ${many} ${type}`),
  `  ${users} users, ${usersRemoved} of them for good`,
  `  ${files} files with their versions`,
  `  ${deadLetters} dead letters`,
];

/** A line for each place that was looked at last. */
export const describeFinalCheck = ({
  items,
  calls,
  files,
  deadLetters,
  queues,
  elsewhere,
}: FinalCheck): string[] => [
  `  ${items} items`,
  ...(calls > 0 ? [`  ${calls} counters of calls that were refused meanwhile, which are removed too`] : []),
  `  ${files} files`,
  `  ${deadLetters} dead letters`,
  `  ${queues.held.length} queues with messages from before`,
  ...(queues.delayed > 0
    ? [
        `  ${queues.delayed} trigger messages of whatever account, which find nothing of this one within 15 minutes`,
      ]
    : []),
  ...sorted(elsewhere).map(([type, many]) => `  ${many} ${type} of other accounts that name it, and stay`),
];
