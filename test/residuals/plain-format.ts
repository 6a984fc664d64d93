import type { ResidualFormatInput } from '../../shared/residuals/formats/schema.ts';

/** A format of files with the headers MID, DBA, Volume, Income, Expense and Net, and the fees of some names. */
export const plainFormat = (...fees: readonly string[]): ResidualFormatInput => ({
  ...{ name: 'Northwind residuals', processor: 'Northwind', headerRows: 1, decimals: 'point' },
  columns: {
    ...{ mid: 'MID', dba: 'DBA', volume: { add: ['Volume'] }, income: { add: ['Income'] } },
    ...{ expense: { add: ['Expense'] }, net: { add: ['Net'] } },
    fees: fees.map((name) => ({ name, add: [name] })),
  },
});
