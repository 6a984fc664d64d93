import type { AccountId } from '../../id/account-id.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { type ListSource, readOnce } from '../../table/list-source.ts';
import type { UploadedTransaction } from './schema.ts';
import { readUpload, resultCount } from './start-import.ts';
import { uploadedRows } from './store.ts';

/** Lists the imported transactions of an uploaded statement. Throws `not_found` if the upload does not exist. */
export function transactionsOf(account: AccountId, id: number, now: Date): ListSource<UploadedTransaction> {
  const upload = readOnce(() => readUpload(account, id, now));
  const rows = uploadedRows.listOf(account, id, async () => {
    const { job } = await upload();
    return job ? resultCount(job.content) : 0;
  });
  return {
    ...rows,
    async newest(bounds) {
      const [, found] = await inParallel([upload(), rows.newest(bounds)]);
      return found;
    },
  };
}
