import { type ReplaceEncrypted, sensitiveIn, withValues } from '../../shared/closing/redact-encrypted.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { type DataKeys, openDataKeys } from '../../shared/security/data-keys.ts';
import { DecryptionFailed, type Place } from '../../shared/security/encrypted-value.ts';
import { REDACTED } from '../../shared/security/merge-fields.ts';
import { byOperator } from './operator-event.ts';
import { writeDeadline } from './scan-table.ts';

/** The number of events per transaction. Each event also updates a counter. */
const eventsPerCommit = 20;

/**
 * Returns a function that decrypts the sensitive values of records. The function first adds events to the
 * account's log, which record the paths of the disclosed values. It throws if an event cannot be written or a
 * value cannot be decrypted.
 */
export async function revealEncrypted(account: AccountId): Promise<ReplaceEncrypted> {
  const openKeys = () => openDataKeys({ account, keep: false, deadline: writeDeadline() });
  let keys = await openKeys();
  let renewed: Promise<DataKeys> | undefined;
  /** Decrypts a value. If the value was encrypted with a newer key, reads the keys again. */
  const decrypt = async (place: Place, jwe: string): Promise<string> => {
    try {
      return await keys.decrypt(place, jwe);
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      renewed ??= openKeys();
      keys = await renewed;
      return keys.decrypt(place, jwe);
    }
  };
  return async (records) => {
    renewed = undefined;
    const sensitive = records.map(sensitiveIn);
    const drafts = sensitive.flatMap((one) => one?.drafts ?? []);
    for (let start = 0; start < drafts.length; start += eventsPerCommit) {
      const events = drafts
        .slice(start, start + eventsPerCommit)
        .map((draft) => byOperator(draft, account, 'accounts export'));
      await commit({ writes: [], events, deadline: writeDeadline() });
    }
    return Promise.all(
      records.map(async (record, n) => {
        const values = sensitive[n]?.values;
        if (!values) return record;
        const plain = new Map(
          await Promise.all(values.map(async ({ place, jwe }) => [jwe, await decrypt(place, jwe)] as const)),
        );
        return withValues(record, ({ jwe }) => plain.get(jwe) ?? REDACTED);
      }),
    );
  };
}
