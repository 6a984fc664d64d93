import { type BlindKind, blindBankAccount, blindSsn, blindTaxId } from '../collisions/blind-values.ts';
import type { BlindValue } from '../collisions/index-rows.ts';
import type { DataKeys } from '../security/data-keys.ts';
import type { Place, Sealed } from '../security/sealed-value.ts';
import type { Revision } from '../table/revise.ts';
import type { MergedApplication } from './merge-application.ts';
import type { SentValue } from './merge-fields.ts';
import { type Contents, type SensitiveField, sensitiveValues, withSensitive } from './sensitive-values.ts';
import type { StoredApplication } from './stored-application.ts';

/** Where an application's value at a path belongs. */
export const placeOf = (
  { accountId, id }: Pick<StoredApplication, 'accountId' | 'id'>,
  path: string,
): Place => ({ account: accountId, record: `application:${id}`, field: path });

/** Tells the warning rules that the plain text of the value at a path breaks. */
type Judge = (path: string, plain: string) => string[];

const bankPath = 'businessBanking.bankAccount';

/**
 * Seals what a request sent in clear, each value for its place. A value that is stored already keeps its ciphertext, and
 * so is no change. Rules are judged on the plain text here, because nothing opens it later to validate.
 */
export async function sealSentValues(
  before: StoredApplication,
  { revision, sentValues }: MergedApplication,
  keys: DataKeys,
  judge: Judge,
): Promise<Revision<StoredApplication>> {
  const merged = contentsAfter(before, revision);
  const routing = merged.businessBanking?.bankRouting;
  const stored = new Map(sensitiveValues(before).map(({ path, sealed }) => [path, sealed]));
  const seal = async (path: string, { field, plain }: SentValue): Promise<Sealed> => {
    const known = stored.get(path);
    const same = known && (await keys.open(placeOf(before, path), known.jwe)) === plain;
    const { jwe, faults } = same
      ? known
      : { jwe: await keys.seal(placeOf(before, path), plain), faults: judge(path, plain) };
    const blind = blindOf(keys, field, plain, routing);
    return { jwe, faults, ...(blind && { blind }) };
  };
  const values = [...sentValues];
  const kept = merged.businessBanking?.bankAccount;
  // The blind value of an account says at which bank it is.
  if (kept && !sentValues.has(bankPath) && routing !== before.businessBanking?.bankRouting)
    values.push([
      bankPath,
      { field: 'bankAccount', plain: await keys.open(placeOf(before, bankPath), kept.jwe) },
    ]);
  const sealed = await Promise.all(
    values.map(async ([path, value]) => [path, await seal(path, value)] as const),
  );
  const { basics, businessBanking, businessOwners } = withSensitive(merged, new Map(sealed));
  return {
    ...revision,
    ...(basics && { basics }),
    ...(businessBanking && { businessBanking }),
    businessOwners,
  };
}

/** Whether sealing what was sent needs the keys: a bank account that moves to another bank is opened for that. */
export const needsKeys = (
  before: StoredApplication,
  { revision, sentValues }: MergedApplication,
): boolean => {
  const after = contentsAfter(before, revision).businessBanking;
  return (
    sentValues.size > 0 ||
    (after?.bankAccount !== undefined && after.bankRouting !== before.businessBanking?.bankRouting)
  );
};

const contentsAfter = (before: Contents, revision: Revision<Contents>): Contents => ({
  basics: (revision.basics === undefined ? before.basics : revision.basics) ?? undefined,
  businessBanking:
    (revision.businessBanking === undefined ? before.businessBanking : revision.businessBanking) ?? undefined,
  businessOwners: revision.businessOwners ?? before.businessOwners,
});

function blindOf(
  keys: DataKeys,
  field: SensitiveField,
  plain: string,
  routing: string | undefined,
): string | undefined {
  if (field === 'socialSecurityNumber') return blindSsn(keys, plain);
  if (field === 'dbaTaxId') return blindTaxId(keys, plain);
  return field === 'bankAccount' ? blindBankAccount(keys, routing, plain) : undefined;
}

const kindOf: Partial<Record<SensitiveField, BlindKind>> = {
  socialSecurityNumber: 'ssn',
  dbaTaxId: 'tax_id',
  bankAccount: 'bank_account',
};

/** The values by which an application is found in the collision index. */
export const blindValuesOf = (contents: Contents): BlindValue[] =>
  sensitiveValues(contents).flatMap(({ path, field, sealed: { blind } }) => {
    const kind = kindOf[field];
    return kind && blind ? [{ kind, blind, field: path }] : [];
  });

/** The plain texts of every sensitive value, by path: what a response in clear shows. */
export async function openValues(
  application: StoredApplication,
  keys: DataKeys,
): Promise<ReadonlyMap<string, string>> {
  const opened = sensitiveValues(application).map(
    async ({ path, sealed }) => [path, await keys.open(placeOf(application, path), sealed.jwe)] as const,
  );
  return new Map(await Promise.all(opened));
}
