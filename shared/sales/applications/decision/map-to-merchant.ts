import type { Static, TSchema } from '../../../schema.ts';
import type {
  addressFields,
  bankingFields,
  coreFields,
  principalFields,
  processingFields,
  rateFields,
  riskFields,
} from '../../merchants/fields.ts';
import { splitName } from '../../value-checks/split-name.ts';
import { type FormField, isFilled, pathOf, readField, type SectionField } from '../record/form-fields.ts';
import type { StoredApplication } from '../record/stored-application.ts';
import type { OwnerName } from '../underwriting/underwriting-schema.ts';

type Values<P extends Record<string, TSchema>> = { [K in keyof P]?: Static<P[K]> };
/** Returns the plain value of a field of the application. */
type Read = (field: FormField) => unknown;
/** Computes the value of a merchant's field. Returns undefined if the application does not have the value. */
type FieldSource<T> = (read: Read) => T | undefined;
type Table<T> = { [K in keyof T]?: FieldSource<NonNullable<T[K]>> };

/** Returns the first of these fields that is filled in, as text. */
const text =
  (...fields: FormField[]): FieldSource<string> =>
  (read) => {
    const value = fields.map(read).find(isFilled);
    return value === undefined ? undefined : String(value).trim();
  };

/** The largest number with 15 digits. Larger numbers are omitted, because the API accepts at most 15 digits. */
const largest = 999_999_999_999_999;

/** Returns the first of these numbers that is filled in, divided by `parts` to convert the unit. */
const number =
  (parts: 1 | 100, fields: readonly SectionField[]): FieldSource<number> =>
  (read) => {
    const value = fields.map(read).find(isFilled);
    return typeof value === 'number' && value <= largest ? value / parts : undefined;
  };

/** Returns the category code as four digits. The application stores a number, which has no leading zeros. */
const categoryCode: FieldSource<string> = (read) => {
  const value = read('businessDetails.mccNumber');
  return typeof value === 'number' && value <= 9999 ? String(value).padStart(4, '0') : undefined;
};

const names: Table<Values<typeof coreFields>> = {
  dba: text('basics.dbaName'),
  mcc: categoryCode,
  mccDescription: text('businessDetails.mccCategory'),
};

/** The fields of a principal, without the name. */
const principal: Table<Values<typeof principalFields>> = {
  ssn: text('businessOwners[].socialSecurityNumber'),
  driversLicenseNumber: text('businessOwners[].driversLicenseNumber'),
  dateOfBirth: text('businessOwners[].dateOfBirth'),
};

type AddressValues = Omit<Values<typeof addressFields>, 'type'>;

/**
 * The DBA address is the merchant's business address. If the form has a different location address, the location
 * address is the business address, and the DBA address is the mailing address.
 */
const dbaAddress: Table<AddressValues> = {
  street1: text('basics.dbaStreet1'),
  street2: text('basics.dbaStreet2'),
  city: text('basics.dbaCity'),
  state: text('basics.dbaState'),
  postalCode: text('basics.dbaZip'),
};
const locAddress: Table<AddressValues> = {
  street1: text('basics.locAddr1'),
  street2: text('basics.locAddr2'),
  city: text('basics.locCity'),
  state: text('basics.locState'),
  postalCode: text('basics.locZip'),
};

const banking: Table<Values<typeof bankingFields>> = {
  bankName: text('businessBanking.bankName'),
  routingNumber: text('businessBanking.bankRouting'),
  accountNumber: text('businessBanking.bankAccount'),
};

const processing: Table<Values<typeof processingFields>> = {
  monthlyVolume: number(1, ['scheduleABasics.highMonthlyVolume']),
  averageTicket: number(1, ['scheduleABasics.avgSaleAmount']),
  highTicket: number(1, ['scheduleABasics.maxSaleAmount']),
};

/** An application has a rate and a fee for each billing method. A merchant has only one rate and one fee. */
const billingMethods = [
  { pattern: /flat/i, rate: 'scheduleADiscountRates.flatRate', fee: 'scheduleAPerItemFees.authFeeFlat' },
  {
    pattern: /tier/i,
    rate: 'scheduleADiscountRates.combinedQualRate',
    fee: 'scheduleAPerItemFees.authFeeTiered',
  },
  {
    pattern: /cost|interchange|pass/i,
    rate: 'scheduleADiscountRates.costPlusRate',
    fee: 'scheduleAPerItemFees.authFeeIntChg',
  },
] as const;

/** The rate or fee of the method in `billType`, otherwise the first filled rate or fee, otherwise `fallback`. */
const byBilling =
  (part: 'rate' | 'fee', fallback: SectionField): FieldSource<number> =>
  (read) => {
    const billType = String(read('scheduleADiscountRates.billType') ?? '');
    const named = billingMethods.filter(({ pattern }) => pattern.test(billType));
    const fields = [...named, ...billingMethods].map((method) => method[part]);
    return number(100, [...fields, fallback])(read);
  };

/** Values in percent and dollars, converted from basis points and cents. */
const rates: Table<Values<typeof rateFields>> = {
  discountRate: byBilling('rate', 'scheduleADiscountRates.sepCardQualRate'),
  transactionFee: byBilling('fee', 'scheduleAPerItemFees.creditTranFee'),
  chargebackFee: number(100, ['scheduleAPerItemFees.chargebackFee']),
  batchFee: number(100, ['scheduleAPerItemFees.batchFee']),
};

/** Returns the values that a table computes, except undefined values. */
const filled = <T extends object>(table: Table<T>, read: Read): T =>
  Object.fromEntries(
    Object.entries<FieldSource<unknown> | undefined>(table).flatMap(([field, source]) => {
      const value = source?.(read);
      return value === undefined ? [] : [[field, value]];
    }),
  ) as T;

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/** The names of the owner's principal: the names in the decision, otherwise the parts of the owner's name. */
function principalName(
  { uniqueId, name = '' }: StoredApplication['businessOwners'][number],
  ownerNames: readonly OwnerName[],
): Values<Pick<typeof principalFields, 'firstName' | 'lastName'>> {
  const corrected = ownerNames.find((one) => one.uniqueId === uniqueId);
  const { firstName, lastName } = corrected ?? splitName(name);
  return { ...(firstName && { firstName }), ...(lastName && { lastName }) };
}

interface MappingOptions {
  /** Decrypted values, by path. */
  values: ReadonlyMap<string, string>;
  /** Returns the day of an instant in the account's time zone. */
  dayOf(instant: string): string;
  /** The names that the underwriter corrected. */
  ownerNames?: readonly OwnerName[];
}

/**
 * Returns the body of a POST /merchants for an approved application. The default merchant name is the application's
 * id.
 */
export function mapToMerchant(
  application: StoredApplication,
  { values, dayOf, ownerNames = [] }: MappingOptions,
) {
  const readOf =
    (owner?: StoredApplication['businessOwners'][number]): Read =>
    (field) =>
      values.get(pathOf(field, owner)) ?? readField(application, field, owner);
  const read = readOf();
  const { risk } = application.admin;
  const rate = filled(rates, read);
  const riskTable: Table<Values<typeof riskFields>> = {
    chargebackCount: number(1, ['businessHistory.chargebacksLastYear']),
  };
  return {
    merchantName: text('basics.dbaName', 'basics.locName')(read) ?? application.id,
    ...filled(names, read),
    ...(risk && { riskLevel: risk.level }),
    status: 'pending' as const,
    processingStatus: 'disabled' as const,
    principals: application.businessOwners
      .map((owner) => ({ ...principalName(owner, ownerNames), ...filled(principal, readOf(owner)) }))
      .filter((one) => !isEmpty(one)),
    addresses: addressesOf(read),
    banking: filled(banking, read),
    processing: filled(processing, read),
    ...(!isEmpty(rate) && { rates: rate }),
    riskMetrics: {
      ...filled(riskTable, read),
      ...(risk && { riskScore: risk.score, lastRiskReview: dayOf(risk.assessedAt) }),
    },
  };
}

/** Returns the business address and, if the form has a different location address, the mailing address. */
function addressesOf(read: Read): Values<typeof addressFields>[] {
  const [dba, loc] = [filled(dbaAddress, read), filled(locAddress, read)];
  const differs = read('basics.locationDifferent') === true && !isEmpty(loc);
  const addresses: Values<typeof addressFields>[] = differs
    ? [
        { type: 'business', ...loc },
        { type: 'mailing', ...dba },
      ]
    : [{ type: 'business', ...dba }];
  return addresses.filter(({ type, ...fields }) => !isEmpty(fields));
}
