import type { Sealed } from '../../security/sealed-value.ts';
import { type SectionName, sensitiveFields } from './fields.ts';
import type { StoredApplication, StoredOwner } from './stored-application.ts';

/** The sections that contain sensitive values. */
export type ApplicationContents = Pick<StoredApplication, 'basics' | 'businessBanking' | 'businessOwners'>;

/** A sensitive value and its path: `basics.dbaTaxId`, `businessOwners[own_1].socialSecurityNumber`. */
interface SensitiveApplicationValue {
  path: string;
  field: SensitiveApplicationField;
  sealed: Sealed;
}

/** A field whose value is stored encrypted. */
export type SensitiveApplicationField = (typeof sensitiveFields)[keyof typeof sensitiveFields][number];

/** The path of an owner's field. */
export const ownerPath = (uniqueId: string, field: string): string => `businessOwners[${uniqueId}].${field}`;

/** The path of the appKey. */
export const appKeyPath = 'system.appKey';

const sensitive: Partial<Record<SectionName, readonly string[]>> = sensitiveFields;

export const isSensitive = (section: SectionName, field: string): field is SensitiveApplicationField =>
  sensitive[section]?.includes(field) ?? false;

/** Returns every stored sensitive value, in the order of the form. */
export const sensitiveValues = ({
  basics,
  businessBanking,
  businessOwners,
}: ApplicationContents): readonly SensitiveApplicationValue[] => [
  ...valuesIn(basics, sensitiveFields.basics, (field) => `basics.${field}`),
  ...valuesIn(businessBanking, sensitiveFields.businessBanking, (field) => `businessBanking.${field}`),
  ...businessOwners.flatMap((owner) =>
    valuesIn(owner, sensitiveFields.businessOwners, (field) => ownerPath(owner.uniqueId, field)),
  ),
];

const valuesIn = <F extends SensitiveApplicationField>(
  holder: { [K in F]?: Sealed } | undefined,
  fields: readonly F[],
  pathOf: (field: F) => string,
): SensitiveApplicationValue[] =>
  fields.flatMap((field) => {
    const sealed = holder?.[field];
    return sealed ? [{ path: pathOf(field), field, sealed }] : [];
  });

/** Replaces the sensitive values at the given paths. */
export function withSensitive<C extends ApplicationContents>(
  contents: C,
  values: ReadonlyMap<string, Sealed>,
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

const newIn = ({ uniqueId }: StoredOwner, values: ReadonlyMap<string, Sealed>): Partial<StoredOwner> =>
  Object.fromEntries(
    sensitiveFields.businessOwners.flatMap((field) => {
      const sealed = values.get(ownerPath(uniqueId, field));
      return sealed ? [[field, sealed]] : [];
    }),
  );
