import type { ErasureCounts, FinalCheck } from './erase-account.ts';
import type { Counts } from './erase-items.ts';

export const sorted = (counts: Readonly<Counts>): [string, number][] =>
  Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1));

export const describeCounts = ({
  items,
  users,
  usersRemoved,
  files,
  deadLetters,
}: ErasureCounts): string[] => [
  ...sorted(items).map(([type, many]) => `  ${many} ${type}`),
  `  ${users} users, ${usersRemoved} of them in no other account`,
  `  ${files} file versions`,
  `  ${deadLetters} dead letters`,
];

export const describeFinalCheck = ({
  items,
  calls,
  files,
  deadLetters,
  queues,
  elsewhere,
}: FinalCheck): string[] => [
  `  ${items} items`,
  ...(calls > 0 ? [`  ${calls} new counters of refused requests, also removed`] : []),
  `  ${files} files`,
  `  ${deadLetters} dead letters`,
  `  ${queues.held.length} queues with older messages`,
  ...(queues.delayed > 0
    ? [`  ${queues.delayed} delayed messages of any account, processed within 15 minutes`]
    : []),
  ...sorted(elsewhere).map(([type, many]) => `  ${many} ${type} of other accounts that mention it (kept)`),
];
