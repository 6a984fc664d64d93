import type { AccountId } from '../../id/account-id.ts';
import { recordStore } from '../../table/record-store.ts';
import { scopedBy } from '../../table/scope.ts';
import { processorKey } from '../amounts/schema.ts';
import { type FileReading, mostFormats, type ResidualFormat } from './schema.ts';

const records = recordStore<ResidualFormat, 'residual_format'>({
  resource: 'residual_format',
  scope: scopedBy(() => [], mostFormats),
});

/** The formats of an account. An insert throws `quota_exceeded` above 200. */
export const residualFormats = {
  ...records,

  listOf: (account: AccountId) => records.listOf(account, []),

  /** Returns the newest format of a processor. */
  async findFor(account: AccountId, processor: string): Promise<ResidualFormat | undefined> {
    const all = await records.newest(account, mostFormats, []);
    return all.find((format) => processorKey(format.processor) === processorKey(processor));
  },
};

/** Returns what of a format decides how a file is read. */
export const readingOf = ({
  columns,
  headerRows,
  sheets,
  decimals,
  negatives,
  dates,
}: ResidualFormat): FileReading => ({
  ...{ columns, headerRows },
  ...(sheets && { sheets }),
  ...(decimals && { decimals }),
  ...(negatives && { negatives }),
  ...(dates && { dates }),
});
