import { invalid } from '../errors.ts';
import { dateTime } from '../schema.ts';
import type { Positions } from '../table/index-items.ts';
import { firstPositionAt } from '../table/list-query.ts';

/** The parameters that select records by the time of their creation. */
export interface CreatedRange {
  createdFrom?: string;
  createdTo?: string;
}

export const createdParameters = {
  createdFrom: dateTime({ description: 'Only records that were created at this time or later.' }),
  createdTo: dateTime({ description: 'Only records that were created before this time.' }),
};

/**
 * The list position of a record can be later than its `createdAt`: if a process handles several requests at once, ids
 * have the order in which they are created. It is at most this many milliseconds later.
 */
const slack = 5_000;

/** The part of a list that contains the records of a range. */
export interface CreatedPositions extends Positions {
  /** All records before this position were created before the end of the range. */
  certainBefore?: string;
}

/** Returns the part of the list that a request reads. Throws `invalid_input` for a range that contains no instant. */
export function positionsCreatedIn({ createdFrom, createdTo }: CreatedRange): CreatedPositions {
  if (createdFrom !== undefined && createdTo !== undefined && createdFrom >= createdTo)
    throw invalid('createdTo', 'must be after createdFrom');
  return {
    ...(createdFrom !== undefined && { from: firstPositionAt(new Date(createdFrom)) }),
    ...(createdTo !== undefined && {
      before: firstPositionAt(new Date(Date.parse(createdTo) + slack)),
      certainBefore: firstPositionAt(new Date(createdTo)),
    }),
  };
}

/** Returns the conditions of a range. */
export const createdIn = ({ createdFrom, createdTo }: CreatedRange): ((record: unknown) => boolean)[] => [
  ...(createdFrom === undefined ? [] : [(record: unknown) => createdAtOf(record) >= createdFrom]),
  ...(createdTo === undefined ? [] : [(record: unknown) => createdAtOf(record) < createdTo]),
];

const createdAtOf = (record: unknown): string => String((record as { createdAt?: string }).createdAt);
