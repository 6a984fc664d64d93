import type { StoredAccount } from '../../accounts/schema.ts';
import { notFound } from '../../errors.ts';
import { canonicalJson } from '../../events/canonical.ts';
import type { AccountId } from '../../id/account-id.ts';
import { proveEvent } from '../../integrity/event-seals/prove-event.ts';
import type { Static } from '../../schema.ts';
import type { SignedIn } from '../../security/principal.ts';
import { digits } from '../../table/keys.ts';
import { type ListSource, readOnce, shortListSource } from '../../table/list-source.ts';
import { countOf, listOfIndex } from '../../table/secondary-indexes.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import { linesPerItem } from '../amounts/pack-lines.ts';
import { documentOf } from './new-statement.ts';
import type { ResidualStatement, StatementLine, StatementProof, StoredStatement } from './schema.ts';
import { residualStatements } from './store.ts';
import { showLine, statementLines } from './stored-lines.ts';

/** Returns a statement as responses show it. */
export const showStatement = ({
  eventId,
  payoutId,
  reversalId,
  ...shown
}: StoredStatement): ResidualStatement => shown;

/** Whose statements a caller reads: those of the account, and of which beneficiary. Absent: of all beneficiaries. */
export interface StatementReader {
  account: AccountId;
  beneficiary?: string;
}

/** A caller with `readResiduals` reads all statements of the account. All others read only their own. */
export const readerOf = ({
  account,
  principal,
}: {
  account: AccountId;
  principal: SignedIn;
}): StatementReader =>
  principal.permissions.has('readResiduals')
    ? { account }
    : { account, beneficiary: `${principal.kind}:${principal.id}` };

/** A child account reads the statements that its parent made for it. Undefined for an account without a parent. */
export const receiverOf = ({ id, parentAccountId }: StoredAccount): StatementReader | undefined =>
  parentAccountId === undefined ? undefined : { account: parentAccountId, beneficiary: `account:${id}` };

/** Returns a statement that a caller reads. Throws `not_found` also for the statements of others. */
export async function getStatement(
  reader: StatementReader | undefined,
  id: number,
): Promise<StoredStatement> {
  const found = reader && (await residualStatements.find(reader.account, id));
  const isShown =
    reader?.beneficiary === undefined || (found && beneficiaryKey(found.beneficiary) === reader.beneficiary);
  if (!found || !isShown) throw notFound(residualStatements.subject, id);
  return found;
}

const shown = (page: StoredStatement[]): Promise<ResidualStatement[]> =>
  Promise.resolve(page.map(showStatement));

/** Lists the statements that a caller reads, newest first. */
export function statementsFor(
  reader: StatementReader | undefined,
): ListSource<ResidualStatement, StoredStatement> {
  if (!reader) return { ...shortListSource<StoredStatement>(async () => []), show: shown };
  const { account, beneficiary } = reader;
  if (beneficiary === undefined) return { ...residualStatements.listOf(account), show: shown };
  const total = () => countOf(residualStatements, account, [{ of: 'statements', within: [beneficiary] }]);
  const source = listOfIndex<StoredStatement>(residualStatements, account, 'holder', [[beneficiary]], total);
  return { ...source, show: shown };
}

/** Lists return the largest position first, so that a list has the order of the lines. */
const positionOf = (id: number): string => digits(Number.MAX_SAFE_INTEGER - id);
const idAt = (position: string): number => Number.MAX_SAFE_INTEGER - Number(position);

/** Lists the lines of a statement in their order. Throws `not_found`. */
export function linesFor(reader: StatementReader | undefined, id: number): ListSource<StatementLine> {
  const statement = readOnce(() => getStatement(reader, id));
  const parts = new Map<number, Promise<StatementLine[]>>();
  /** Reads each part once. */
  const partAt = (part: number): Promise<StatementLine[]> => {
    const read = async () =>
      (await statementLines.part(await statement(), part)).map((line, n) =>
        showLine(line, part * linesPerItem + n + 1),
      );
    const known = parts.get(part) ?? read();
    parts.set(part, known);
    return known;
  };
  /** Returns at most `limit` lines after a number of lines. */
  const linesAfter = async (first: number, limit: number): Promise<StatementLine[]> => {
    const { lineCount } = await statement();
    const lines: StatementLine[] = [];
    for (let at = first; at < lineCount && lines.length < limit; at += linesPerItem - (at % linesPerItem))
      for (const line of (await partAt(Math.floor(at / linesPerItem))).slice(at % linesPerItem))
        lines.push(line);
    return lines.slice(0, limit);
  };
  return {
    async newest({ limit = Number.POSITIVE_INFINITY, before, oldestFirst }) {
      const first = before ? idAt(before) : 0;
      const items = oldestFirst
        ? (await linesAfter(first, Number.POSITIVE_INFINITY)).toReversed().slice(0, limit)
        : await linesAfter(first, limit);
      if (before === undefined) return { items };
      const last = items.length === limit ? items.at(-1) : undefined;
      return {
        items,
        positions: items.map((line) => positionOf(line.id)),
        ...(last && { next: positionOf(last.id) }),
      };
    },
    total: async () => (await statement()).lineCount,
    show: async (page) => page,
  };
}

/**
 * Returns the proof that a statement is in the sealed event log of the account that made it. Throws `not_found`,
 * `event_not_sealed` and `event_altered`.
 */
export async function proveStatement(
  reader: StatementReader | undefined,
  id: number,
  now: Date,
): Promise<Static<typeof StatementProof>> {
  const statement = await getStatement(reader, id);
  const event = await proveEvent(statement.accountId, statement.eventId, now);
  return { statement: canonicalJson(documentOf(statement)), sha256: statement.sha256, event };
}
