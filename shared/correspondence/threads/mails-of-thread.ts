import type { RequireReach } from '../../endpoints/reached.ts';
import { notFound } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import { type ListSource, readOnce } from '../../table/list-source.ts';
import { mailsOfRecord } from '../mails/list-mails.ts';
import type { MailSummary } from '../mails/schema.ts';
import type { ThreadOf } from './schema.ts';
import { findThreadRecord } from './thread-record.ts';

interface ThreadReader {
  account: AccountId;
  requireReach: RequireReach;
}

/**
 * Returns two list sources for the mails of a record: all of them, and those without held mails. Reads throw `not_found` if the
 * record does not exist or the caller does not reach it. `idOf` returns the id of a reference in the path.
 */
export function mailsOfThread(
  { account, requireReach }: ThreadReader,
  type: ThreadOf['recordType'],
  reference: string | number,
  idOf: () => Promise<string>,
) {
  const id = readOnce(async () => {
    const recordId = await idOf();
    const found = await findThreadRecord(account, { recordType: type, recordId });
    if (!found) throw notFound(type, reference);
    await requireReach(type, found.record, reference);
    return recordId;
  });
  const source = (held: boolean): ListSource<MailSummary> => {
    const list = readOnce(async () => mailsOfRecord(account, type, await id(), { held }));
    return {
      newest: async (bounds) => (await list()).newest(bounds),
      total: async () => (await list()).total(),
      show: async (page) => page,
    };
  };
  return { full: source(true), restricted: source(false) };
}
