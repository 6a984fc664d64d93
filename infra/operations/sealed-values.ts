import { sensitiveDataRevealed } from '../../shared/events/emit.ts';
import type { EventDraft } from '../../shared/events/envelope.ts';
import { eventOf } from '../../shared/events/event-of.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { placeOf as placeInApplication } from '../../shared/sales/applications/seal-values.ts';
import { sensitiveValues as inApplication } from '../../shared/sales/applications/sensitive-values.ts';
import { applications } from '../../shared/sales/applications/store.ts';
import type { StoredApplication } from '../../shared/sales/applications/stored-application.ts';
import {
  sensitiveValues as inMerchant,
  placeOf as placeInMerchant,
} from '../../shared/sales/merchants/sensitive-values.ts';
import { merchants } from '../../shared/sales/merchants/store.ts';
import type { StoredMerchant } from '../../shared/sales/merchants/stored-merchant.ts';
import { type DataKeys, openDataKeys } from '../../shared/security/data-keys.ts';
import { REDACTED } from '../../shared/security/merge-fields.ts';
import { DoesNotOpen, type Place, type Sealed } from '../../shared/security/sealed-value.ts';
import { recordOf } from '../../shared/table/item.ts';
import type { ExportedRecord } from './exported-kinds.ts';
import { writeDeadline } from './scan-table.ts';

/** Shows some records with their sealed values, in whatever way. */
type Showing = (records: readonly ExportedRecord[]) => Promise<ExportedRecord[]>;

/** Shows `REDACTED` for each sealed value, and beside it the last four characters where those are known. */
export const redactSealed: Showing = async (records) =>
  records.map((record) => (sensitiveIn(record) ? withShown(record, () => REDACTED) : record));

/** So many events are committed in a transaction, each with a counter. */
const eventsAtOnce = 20;

/**
 * Shows sealed values in clear. Before any of it is returned, an event in the log of the account says of each application
 * and merchant which values were shown, and that an operator saw them. Throws where that cannot be written or a value does not
 * open.
 */
export async function revealSealed(account: AccountId): Promise<Showing> {
  const openKeys = () => openDataKeys({ account, keep: false, deadline: writeDeadline() });
  let keys = await openKeys();
  let renewed: Promise<DataKeys> | undefined;
  /** A key may have been added since the keys were read, and a value sealed with it. */
  const open = async (place: Place, jwe: string): Promise<string> => {
    try {
      return await keys.open(place, jwe);
    } catch (error) {
      if (!(error instanceof DoesNotOpen)) throw error;
      renewed ??= openKeys();
      keys = await renewed;
      return keys.open(place, jwe);
    }
  };
  return async (records) => {
    renewed = undefined;
    const sensitive = records.map(sensitiveIn);
    const drafts = sensitive.flatMap((one) => one?.drafts ?? []);
    for (let start = 0; start < drafts.length; start += eventsAtOnce) {
      const events = drafts.slice(start, start + eventsAtOnce).map((draft) => byOperator(draft, account));
      await commit({ writes: [], events, deadline: writeDeadline() });
    }
    return Promise.all(
      records.map(async (record, n) => {
        const values = sensitive[n]?.values;
        if (!values) return record;
        const plain = new Map(
          await Promise.all(values.map(async ({ place, jwe }) => [jwe, await open(place, jwe)] as const)),
        );
        return withShown(record, ({ jwe }) => plain.get(jwe) ?? REDACTED);
      }),
    );
  };
}

/** What is sealed in a record, and the event that says that it is shown. */
interface Sensitive {
  values: { place: Place; jwe: string }[];
  drafts: EventDraft[];
}

/** Undefined of a record that holds nothing sealed, whatever is in it. */
function sensitiveIn({ kind, record }: ExportedRecord): Sensitive | undefined {
  if (kind === 'application') {
    const application = recordOf<StoredApplication>(record);
    const values = inApplication(application);
    return {
      values: values.map(({ path, sealed: { jwe } }) => ({
        place: placeInApplication(application, path),
        jwe,
      })),
      drafts: sensitiveDataRevealed(applications, applications.forEvents(application), pathsOf(values)),
    };
  }
  if (kind === 'merchant') {
    const merchant = recordOf<StoredMerchant>(record);
    const values = inMerchant(merchant);
    return {
      values: values.map(({ path, sealed: { jwe } }) => ({ place: placeInMerchant(merchant)(path), jwe })),
      drafts: sensitiveDataRevealed(merchants, merchants.forEvents(merchant), pathsOf(values)),
    };
  }
  return undefined;
}

const pathsOf = (values: readonly { path: string }[]): string[] => values.map(({ path }) => path);

/** An operator's command is a request without HTTP. */
const byOperator = (draft: EventDraft, account: AccountId) =>
  eventOf(draft, {
    account,
    actor: { user: 'operator', apiKey: null },
    now: new Date(),
    request: { method: 'RUN', path: 'account:export', headers: {}, ipAddress: '' },
  });

type ShowSealed = (sealed: Sealed) => string;

const withShown = (record: ExportedRecord, shown: ShowSealed): ExportedRecord => ({
  ...record,
  record: shownIn(record.record, shown),
});

const shownIn = (holder: object, shown: ShowSealed): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(holder).flatMap(([name, value]): [string, unknown][] => {
      if (!isSealed(value)) return [[name, shownWithin(value, shown)]];
      const { last4 } = value;
      return last4 === undefined
        ? [[name, shown(value)]]
        : [
            [name, shown(value)],
            [`${name}Last4`, last4],
          ];
    }),
  );

function shownWithin(value: unknown, shown: ShowSealed): unknown {
  if (Array.isArray(value)) return value.map((one) => shownWithin(one, shown));
  return typeof value === 'object' && value !== null ? shownIn(value, shown) : value;
}

const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && 'jwe' in value && typeof value.jwe === 'string';
