import type { AccountId } from '../../id/account-id.ts';
import { digits, type Key, tenantPartition } from '../../table/keys.ts';

/**
 * A statement, and the hash of its lines. The keys of lines contain this hash. A second attempt to post a statement can round
 * otherwise, because other statements were posted meanwhile. Its lines must not replace those of the attempt that was
 * committed.
 */
interface LinesOf {
  accountId: AccountId;
  id: number;
  linesSha256: string;
}

/** The partition with the lines of a statement. */
export const statementLinesPartition = ({ accountId, id }: Pick<LinesOf, 'accountId' | 'id'>): string =>
  tenantPartition(accountId, 'RESIDUALLINES', digits(id));

/** The key of an item with lines of a statement. `part` is the number of the item, from 0. */
export const statementLinesKey = (statement: LinesOf, part: number): Key => ({
  pk: statementLinesPartition(statement),
  sk: `LINES#${statement.linesSha256}#${digits(part)}`,
});

/** The sort keys of all lines of a statement. */
export const statementLinesRange = ({ linesSha256 }: LinesOf): { from: string; to: string } => ({
  from: `LINES#${linesSha256}#`,
  to: `LINES#${linesSha256}#~`,
});
