import type { FilesBucket } from '../../shared/closing/files-bucket.ts';
import { removeObjects } from '../../shared/closing/remove-objects.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { withProgressBar } from '../administration/progress-bar.ts';

/** Removes an account's objects from the bucket, or only counts them, and shows the progress. Returns their number. */
export const removeAccountFiles = (
  bucket: FilesBucket,
  account: AccountId,
  { count }: { count: boolean },
): Promise<number> =>
  withProgressBar(
    'Files',
    async (advance) => (await removeObjects(bucket, account, { count, advance })).found,
  );
