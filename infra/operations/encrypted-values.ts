import { sensitiveDataRevealed } from '../../shared/events/emit.ts';
import type { EventDraft } from '../../shared/events/envelope.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { placeInApplication } from '../../shared/sales/applications/encrypt-application.ts';
import { sensitiveApplicationValues as inApplication } from '../../shared/sales/applications/sensitive-values.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import type { StoredApplication } from '../../shared/sales/applications/stored-application.ts';
import {
  sensitiveMerchantValues as inMerchant,
  placeInMerchant,
} from '../../shared/sales/merchants/sensitive-values.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import { type DataKeys, openDataKeys } from '../../shared/security/data-keys.ts';
import { DecryptionFailed, type Encrypted, type Place } from '../../shared/security/encrypted-value.ts';
import { REDACTED } from '../../shared/security/merge-fields.ts';
import { recordOf } from '../../shared/table/item.ts';
import type { ExportedRecord } from '../administration/exported-kinds.ts';
import { byOperator } from './operator-event.ts';
import { writeDeadline } from './scan-table.ts';

type ReplaceEncrypted = (records: readonly ExportedRecord[]) => Promise<ExportedRecord[]>;

/** Replaces each encrypted value by `REDACTED`, followed by the value's last four characters if they are stored. */
export const redactEncrypted: ReplaceEncrypted = async (records) =>
  records.map((record) => (sensitiveIn(record) ? withValues(record, () => REDACTED) : record));

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

/** The encrypted values of a record and the event that records their disclosure. */
interface Sensitive {
  values: { place: Place; jwe: string }[];
  drafts: EventDraft[];
}

/** Returns undefined for kinds of records without encrypted values. */
function sensitiveIn({ kind, record }: ExportedRecord): Sensitive | undefined {
  if (kind === 'application') {
    const application = recordOf<StoredApplication>(record);
    const values = inApplication(application);
    return {
      values: values.map(({ path, encrypted: { jwe } }) => ({
        place: placeInApplication(application, path),
        jwe,
      })),
      drafts: sensitiveDataRevealed(applications, application, pathsOf(values)),
    };
  }
  if (kind === 'merchant') {
    const merchant = recordOf<StoredMerchant>(record);
    const values = inMerchant(merchant);
    return {
      values: values.map(({ path, encrypted: { jwe } }) => ({ place: placeInMerchant(merchant)(path), jwe })),
      drafts: sensitiveDataRevealed(merchants, merchants.forEvents(merchant), pathsOf(values)),
    };
  }
  return undefined;
}

const pathsOf = (values: readonly { path: string }[]): string[] => values.map(({ path }) => path);

type ValueFor = (encrypted: Encrypted) => string;

const withValues = (record: ExportedRecord, valueFor: ValueFor): ExportedRecord => ({
  ...record,
  record: replaceInObject(record.record, valueFor),
});

const replaceInObject = (object: object, valueFor: ValueFor): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      if (!isEncrypted(value)) return [[name, replaceIn(value, valueFor)]];
      const shown: [string, unknown] = [name, valueFor(value)];
      return value.last4 === undefined ? [shown] : [shown, [`${name}Last4`, value.last4]];
    }),
  );

function replaceIn(value: unknown, valueFor: ValueFor): unknown {
  if (Array.isArray(value)) return value.map((one) => replaceIn(one, valueFor));
  return typeof value === 'object' && value !== null ? replaceInObject(value, valueFor) : value;
}

const isEncrypted = (value: unknown): value is Encrypted =>
  typeof value === 'object' && value !== null && 'jwe' in value && typeof value.jwe === 'string';
