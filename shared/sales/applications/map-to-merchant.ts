import { type FormField, isFilled, pathOf, readField, type SectionField } from './form-fields.ts';
import type { RiskAssessment } from './schema.ts';
import type { StoredApplication } from './stored-application.ts';

/** What a merchant gets from an application: as POST /merchants takes it, sensitive values in clear. */
interface MappedMerchant extends MappedNames {
  merchantName: string;
  riskLevel?: RiskAssessment['level'];
  status: 'pending';
  processingStatus: 'disabled';
  principals: MappedPrincipal[];
  addresses: MappedAddress[];
  banking: MappedBanking;
  processing: MappedProcessing;
  /** Left out where the application names no rate and no fee. */
  rates?: MappedRates;
  riskMetrics: MappedRisk;
}

interface MappedNames {
  dba?: string;
  mcc?: string;
  mccDescription?: string;
}

interface MappedPrincipal {
  firstName?: string;
  lastName?: string;
  ssn?: string;
  driversLicenseNumber?: string;
  dateOfBirth?: string;
}

interface AddressFields {
  street1?: string;
  street2?: string;
  city?: string;
  state?: string;
  postalCode?: string;
}
interface MappedAddress extends AddressFields {
  type: 'business' | 'mailing';
}

interface MappedBanking {
  bankName?: string;
  routingNumber?: string;
  accountNumber?: string;
}

/** In dollars. */
interface MappedProcessing {
  monthlyVolume?: number;
  averageTicket?: number;
  highTicket?: number;
}

/** The discount rate in percent, fees in dollars. */
interface MappedRates {
  discountRate?: number;
  transactionFee?: number;
  chargebackFee?: number;
  batchFee?: number;
}

interface MappedRisk {
  /** Of the last year. */
  chargebackCount?: number;
  riskScore?: number;
  /** A day. */
  lastRiskReview?: string;
}

/** The value of a field of the application, in clear. */
type Read = (field: FormField) => unknown;
/** What fills a field of the merchant; undefined where there is nothing to fill it with. */
type FieldSource<T> = (read: Read) => T | undefined;
type Table<T> = { [K in keyof T]-?: FieldSource<NonNullable<T[K]>> };

/** The first of these texts that is filled in. */
const text =
  (...fields: FormField[]): FieldSource<string> =>
  (read) => {
    const value = fields.map(read).find(isFilled);
    return value === undefined ? undefined : String(value).trim();
  };

/** What a decimal can hold, which has 15 significant digits: nobody means more. */
const largest = 999_999_999_999_999;

/** The first of these numbers that is filled in; `parts` of its units make one of the merchant's. */
const number =
  (parts: 1 | 100, fields: readonly SectionField[]): FieldSource<number> =>
  (read) => {
    const value = fields.map(read).find(isFilled);
    return typeof value === 'number' && value <= largest ? value / parts : undefined;
  };

/** Four digits: the application's number has lost its leading zeros. */
const categoryCode: FieldSource<string> = (read) => {
  const value = read('businessDetails.mccNumber');
  return typeof value === 'number' && value <= 9999 ? String(value).padStart(4, '0') : undefined;
};

/** A part of an owner's name, which is split at its last space: Mary Ann, Smith. */
const partOfName =
  (part: 'first' | 'last'): FieldSource<string> =>
  (read) => {
    const name = text('businessOwners[].name')(read) ?? '';
    const last = /\S*$/.exec(name)?.[0] ?? '';
    const first = name.slice(0, name.length - last.length).trim();
    const value = part === 'first' ? first || last : first && last;
    return value || undefined;
  };

const names: Table<MappedNames> = {
  dba: text('basics.dbaName'),
  mcc: categoryCode,
  mccDescription: text('businessDetails.mccCategory'),
};

const principal: Table<MappedPrincipal> = {
  firstName: partOfName('first'),
  lastName: partOfName('last'),
  ssn: text('businessOwners[].socialSecurityNumber'),
  driversLicenseNumber: text('businessOwners[].driversLicenseNumber'),
  dateOfBirth: text('businessOwners[].dateOfBirth'),
};

/** Where the business gets its mail; and where it is, unless it has another place. */
const dbaAddress: Table<AddressFields> = {
  street1: text('basics.dbaStreet1'),
  street2: text('basics.dbaStreet2'),
  city: text('basics.dbaCity'),
  state: text('basics.dbaState'),
  postalCode: text('basics.dbaZip'),
};
const locAddress: Table<AddressFields> = {
  street1: text('basics.locAddr1'),
  street2: text('basics.locAddr2'),
  city: text('basics.locCity'),
  state: text('basics.locState'),
  postalCode: text('basics.locZip'),
};

const banking: Table<MappedBanking> = {
  bankName: text('businessBanking.bankName'),
  routingNumber: text('businessBanking.bankRouting'),
  accountNumber: text('businessBanking.bankAccount'),
};

const processing: Table<MappedProcessing> = {
  monthlyVolume: number(1, ['scheduleABasics.highMonthlyVolume']),
  averageTicket: number(1, ['scheduleABasics.avgSaleAmount']),
  highTicket: number(1, ['scheduleABasics.maxSaleAmount']),
};

/** An application has a rate and a fee for each way of billing, a merchant one of each. */
const billingMethods = [
  { says: /flat/i, rate: 'scheduleADiscountRates.flatRate', fee: 'scheduleAPerItemFees.authFeeFlat' },
  {
    says: /tier/i,
    rate: 'scheduleADiscountRates.combinedQualRate',
    fee: 'scheduleAPerItemFees.authFeeTiered',
  },
  {
    says: /cost|interchange|pass/i,
    rate: 'scheduleADiscountRates.costPlusRate',
    fee: 'scheduleAPerItemFees.authFeeIntChg',
  },
] as const;

/** That of the way of billing which `billType` says, else the first that is filled in, else another field. */
const byBilling =
  (part: 'rate' | 'fee', otherwise: SectionField): FieldSource<number> =>
  (read) => {
    const billType = String(read('scheduleADiscountRates.billType') ?? '');
    const said = billingMethods.filter(({ says }) => says.test(billType));
    const fields = [...said, ...billingMethods].map((way) => way[part]);
    return number(100, [...fields, otherwise])(read);
  };

/** Basis points become percent, cents dollars. */
const rates: Table<MappedRates> = {
  discountRate: byBilling('rate', 'scheduleADiscountRates.sepCardQualRate'),
  transactionFee: byBilling('fee', 'scheduleAPerItemFees.creditTranFee'),
  chargebackFee: number(100, ['scheduleAPerItemFees.chargebackFee']),
  batchFee: number(100, ['scheduleAPerItemFees.batchFee']),
};

/** What a table fills from what there is. */
const filled = <T extends object>(table: Table<T>, read: Read): T =>
  Object.fromEntries(
    Object.entries<FieldSource<unknown>>(table).flatMap(([field, source]) => {
      const value = source(read);
      return value === undefined ? [] : [[field, value]];
    }),
  ) as T;

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0;

/**
 * The merchant that an approved application becomes. `values` are its sensitive values in clear by path; `dayOf` gives
 * the day of an instant where the account is. A merchant has a name in any case: the id of the application where
 * nobody gave it one.
 */
export function mapToMerchant(
  application: StoredApplication,
  values: ReadonlyMap<string, string>,
  dayOf: (instant: string) => string,
): MappedMerchant {
  const readOf =
    (owner?: StoredApplication['businessOwners'][number]): Read =>
    (field) =>
      values.get(pathOf(field, owner)) ?? readField(application, field, owner);
  const read = readOf();
  const { risk } = application.admin;
  const rate = filled(rates, read);
  return {
    merchantName: text('basics.dbaName', 'basics.locName')(read) ?? application.id,
    ...filled(names, read),
    ...(risk && { riskLevel: risk.level }),
    status: 'pending',
    processingStatus: 'disabled',
    principals: application.businessOwners
      .map((owner) => filled(principal, readOf(owner)))
      .filter((one) => !isEmpty(one)),
    addresses: addressesOf(read),
    banking: filled(banking, read),
    processing: filled(processing, read),
    ...(!isEmpty(rate) && { rates: rate }),
    riskMetrics: {
      ...filled({ chargebackCount: number(1, ['businessHistory.chargebacksLastYear']) }, read),
      ...(risk && { riskScore: risk.score, lastRiskReview: dayOf(risk.assessedAt) }),
    },
  };
}

/** The place of business, and where it differs from that of the mail, that too. */
function addressesOf(read: Read): MappedAddress[] {
  const [dba, loc] = [filled(dbaAddress, read), filled(locAddress, read)];
  const differs = read('basics.locationDifferent') === true && !isEmpty(loc);
  const addresses: MappedAddress[] = differs
    ? [
        { type: 'business', ...loc },
        { type: 'mailing', ...dba },
      ]
    : [{ type: 'business', ...dba }];
  return addresses.filter(({ type, ...fields }) => !isEmpty(fields));
}
