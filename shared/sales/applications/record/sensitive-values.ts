import type { Encrypted } from '../../../security/encrypted-value.ts';
import { type SectionName, sensitiveFormFields } from './fields.ts';
import type { StoredApplication, StoredOwner } from './stored-application.ts';

/** The sections that contain sensitive values. */
export type ApplicationContents = Pick<StoredApplication, 'basics' | 'businessBanking' | 'businessOwners'>;

/** A sensitive value and its path: `basics.dbaTaxId`, `businessOwners[own_1].socialSecurityNumber`. */
interface SensitiveApplicationValue {
  path: string;
  field: SensitiveApplicationField;
  encrypted: Encrypted;
}

/** A field whose value is stored encrypted. */
export type SensitiveApplicationField =
  (typeof sensitiveFormFields)[keyof typeof sensitiveFormFields][number];

/** The path of an owner's field. */
export const ownerPath = (uniqueId: string, field: string): string => `businessOwners[${uniqueId}].${field}`;

/** The path of the appKey. */
export const appKeyPath = 'system.appKey';

const sensitive: Partial<Record<SectionName, readonly string[]>> = sensitiveFormFields;

export const isSensitiveFormField = (
  section: SectionName,
  field: string,
): field is SensitiveApplicationField => sensitive[section]?.includes(field) ?? false;

/** Returns every stored sensitive value, in the order of the form. */
export const sensitiveApplicationValues = ({
  basics,
  businessBanking,
  businessOwners,
}: ApplicationContents): readonly SensitiveApplicationValue[] => [
  ...valuesIn(basics, sensitiveFormFields.basics, (field) => `basics.${field}`),
  ...valuesIn(businessBanking, sensitiveFormFields.businessBanking, (field) => `businessBanking.${field}`),
  ...businessOwners.flatMap((owner) =>
    valuesIn(owner, sensitiveFormFields.businessOwners, (field) => ownerPath(owner.uniqueId, field)),
  ),
];

const valuesIn = <F extends SensitiveApplicationField>(
  holder: { [K in F]?: Encrypted } | undefined,
  fields: readonly F[],
  pathOf: (field: F) => string,
): SensitiveApplicationValue[] =>
  fields.flatMap((field) => {
    const encrypted = holder?.[field];
    return encrypted ? [{ path: pathOf(field), field, encrypted }] : [];
  });

/** Replaces the sensitive values at the given paths. */
export function withSensitive<C extends ApplicationContents>(
  contents: C,
  values: ReadonlyMap<string, Encrypted>,
): C {
  const tax = values.get('basics.dbaTaxId');
  const bank = values.get('businessBanking.bankAccount');
  return {
    ...contents,
    ...(tax && { basics: { ...contents.basics, dbaTaxId: tax } }),
    ...(bank && { businessBanking: { ...contents.businessBanking, bankAccount: bank } }),
    businessOwners: contents.businessOwners.map((owner) => ({ ...owner, ...newIn(owner, values) })),
  };
}

const newIn = ({ uniqueId }: StoredOwner, values: ReadonlyMap<string, Encrypted>): Partial<StoredOwner> =>
  Object.fromEntries(
    sensitiveFormFields.businessOwners.flatMap((field) => {
      const encrypted = values.get(ownerPath(uniqueId, field));
      return encrypted ? [[field, encrypted]] : [];
    }),
  );
