import { ApiError, notFound } from '../../errors.ts';
import { array, object } from '../../schema.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { statementHappened } from './new-statement.ts';
import { showStatement } from './read-statements.ts';
import { ResidualStatement, type StoredStatement } from './schema.ts';
import { residualStatements } from './store.ts';

export const ApprovedStatements = object({ statements: array(ResidualStatement) });

/** Approves statements. Throws `not_found` and, for a statement that was paid or returned, `statement_not_ready`. */
export function approveStatements(
  request: Authored,
  ids: readonly number[],
  found: readonly StoredStatement[],
) {
  for (const id of ids)
    if (!found.some((one) => one.id === id)) throw notFound(residualStatements.subject, id);
  const changes = found.map((before) => {
    if (before.state !== 'ready' && before.state !== 'approved') throw new ApiError('statement_not_ready');
    return { before, after: revise(before, { state: 'approved' }, request) };
  });
  return {
    response: { statements: changes.map(({ after }) => showStatement(after)) },
    writes: changes.flatMap(({ before, after }) => residualStatements.replace(before, after)),
    events: changes
      .filter(({ before, after }) => before !== after)
      .flatMap(({ after }) => statementHappened('residual_statement_approved', after)),
  };
}
