import type { Described } from '../../events/subject.ts';
import { recordStore } from '../../table/record-store.ts';
import { secondaryIndexes } from '../../table/secondary-indexes.ts';
import { beneficiaryKey } from '../amounts/beneficiary.ts';
import type { StoredStatement } from './schema.ts';

/** The statements of an account. Their lines are separate items; see `statementLines`. */
export const residualStatements = {
  ...recordStore<StoredStatement, 'residual_statement'>({
    resource: 'residual_statement',
    indexes: secondaryIndexes<StoredStatement>({
      state: ({ month }) => [month],
      holder: ({ beneficiary }) => [beneficiaryKey(beneficiary)],
      countedAs: ({ beneficiary }) => [{ of: 'statements', within: [beneficiaryKey(beneficiary)] }],
    }),
  }),

  describe: ({ month, beneficiaryName }: StoredStatement): Described => ({
    label: `${beneficiaryName} ${month}`,
  }),
};
