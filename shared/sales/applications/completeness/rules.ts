import type { Format } from '../../value-checks/formats.ts';
import { valueMessages } from '../../value-checks/messages.ts';
import {
  type FilledForm,
  type FormField,
  isOwnerField,
  type OwnerField,
  pathOf,
  sectionOf,
} from '../record/form-fields.ts';
import type { DocumentCategory, ProcessingMethod, Warning } from '../record/schema.ts';
import { always, type Condition, evaluate, never, type ResolvedMethod } from './condition.ts';
import { faultIds } from './value-faults.ts';

/**
 * The rules of applications: processing method, required documents and fields, warnings, risk. Conditions are
 * explained in condition.ts.
 */

const soleProprietor: Condition = {
  field: 'basics.dbaStruct',
  among: [
    'soleproprietorship',
    'soleproprietor',
    'soleprop',
    'individual',
    'individualsoleproprietor',
    'individualsoleproprietorship',
  ],
};
const company: Condition = { all: [{ filled: 'basics.dbaStruct' }, { not: soleProprietor }] };
const taxedByEin: Condition = { field: 'basics.tinType', among: ['ein', 'fein'] };
const taxedBySsn: Condition = { field: 'basics.tinType', among: ['ssn', 'itin'] };
const monthlyVolume = (atLeast: number): Condition => ({
  total: ['scheduleABasics.highMonthlyVolume'],
  atLeast,
});

/** The first rule whose condition is true determines the processing method. The default is `mixed`. */
export const methodRules: readonly { method: ProcessingMethod; when: Condition }[] = [
  { method: 'ecommerce', when: { total: ['orderProcessing.cardInternetPercent'], atLeast: 50 } },
  {
    method: 'moto',
    when: { total: ['orderProcessing.cardKeyedPercent', 'orderProcessing.cardMoToPercent'], atLeast: 50 },
  },
  { method: 'card_present', when: { total: ['orderProcessing.cardSwipePercent'], atLeast: 50 } },
];

export interface DocumentRule {
  /** The document's key. If `eachOwner` is set, each owner has a document with the key `<id>_<uniqueId>`. */
  id: string;
  name: string;
  category: DocumentCategory;
  when: Condition;
  eachOwner?: true;
}

/** Responses list the documents in this order. */
export const documentRules: readonly DocumentRule[] = [
  {
    id: 'driver-license',
    name: 'Driver’s license',
    category: 'identification',
    when: always,
    eachOwner: true,
  },
  { id: 'voided-check', name: 'Voided check', category: 'banking', when: always },
  {
    id: 'bank-statement',
    name: 'Bank statement',
    category: 'banking',
    when: { any: [{ not: { method: ['card_present'] } }, monthlyVolume(50_000)] },
  },
  { id: 'business-license', name: 'Business license', category: 'business', when: always },
  { id: 'corporation-documents', name: 'Corporation documents', category: 'business', when: company },
  { id: 'ein-letter', name: 'EIN letter', category: 'business', when: taxedByEin },
  {
    id: 'processing-statements',
    name: 'Processing statements',
    category: 'financial',
    when: {
      any: [
        { filled: 'businessHistory.previousCcProcessor' },
        { total: ['scheduleABasics.avgSaleAmount'], atLeast: 1000 },
        { total: ['scheduleABasics.maxSaleAmount'], atLeast: 2500 },
      ],
    },
  },
  {
    id: 'tax-returns',
    name: 'Tax returns',
    category: 'financial',
    when: {
      any: [
        monthlyVolume(100_000),
        { yes: 'businessHistory.bankruptcyBool' },
        { yes: 'businessHistory.cardAcceptTerminationBool' },
      ],
    },
  },
  {
    id: 'moto-questionnaire',
    name: 'Mail and telephone order questionnaire',
    category: 'operational',
    when: { method: ['moto', 'mixed'] },
  },
  {
    id: 'fulfillment-agreement',
    name: 'Fulfillment agreement',
    category: 'operational',
    when: { method: ['ecommerce', 'moto'] },
  },
  { id: 'pci-attestation', name: 'PCI attestation', category: 'operational', when: never },
  { id: 'balance-sheet', name: 'Balance sheet', category: 'financial', when: never },
  { id: 'site-photos', name: 'Site photos', category: 'operational', when: never },
  { id: 'signed-application', name: 'Signed application', category: 'business', when: never },
  { id: 'other', name: 'Other', category: 'business', when: never },
];

/** A required field, or two fields of which at least one is required. */
export type Needed = FormField | 'businessOwners' | readonly [FormField, FormField];

export interface FieldRule {
  id: string;
  when: Condition;
  /** The required fields, in the order of the form. An owner's field is required for each owner. */
  needs: readonly Needed[];
}

/** The rules for required fields, in the order of the form. */
export const fieldRules: readonly FieldRule[] = [
  {
    id: 'business',
    when: always,
    needs: [
      'basics.dbaName',
      'basics.dbaContact',
      'basics.dbaEmail',
      'basics.dbaPhone',
      'basics.dbaStreet1',
      'basics.dbaCity',
      'basics.dbaState',
      'basics.dbaZip',
      'basics.dbaStruct',
      'basics.dbaTaxId',
      'basics.tinType',
    ],
  },
  {
    id: 'location',
    when: { yes: 'basics.locationDifferent' },
    needs: ['basics.locAddr1', 'basics.locCity', 'basics.locState', 'basics.locZip'],
  },
  {
    id: 'trade',
    when: always,
    needs: [
      ['businessDetails.mccNumber', 'businessDetails.mccCategory'],
      'businessDetails.productsServicesSold',
    ],
  },
  { id: 'website', when: { method: ['ecommerce'] }, needs: ['businessDetails.website'] },
  {
    id: 'season',
    when: { yes: 'businessDetails.seasonalMerchantBool' },
    needs: ['businessDetails.seasonalMerchantExplain'],
  },
  {
    id: 'time_in_business',
    when: always,
    needs: [['businessHistory.yearsInBiz', 'businessHistory.monthsInBiz']],
  },
  {
    id: 'card_termination',
    when: { yes: 'businessHistory.cardAcceptTerminationBool' },
    needs: ['businessHistory.cardAcceptTerminationExplain'],
  },
  {
    id: 'bankruptcy',
    when: { yes: 'businessHistory.bankruptcyBool' },
    needs: ['businessHistory.explainBankruptcy'],
  },
  {
    id: 'bank',
    when: always,
    needs: ['businessBanking.bankName', 'businessBanking.bankRouting', 'businessBanking.bankAccount'],
  },
  { id: 'owner', when: always, needs: ['businessOwners'] },
  {
    id: 'owner_details',
    when: always,
    needs: ['businessOwners[].name', 'businessOwners[].socialSecurityNumber', 'businessOwners[].dateOfBirth'],
  },
  {
    id: 'customer_service',
    when: { not: { method: ['card_present'] } },
    needs: ['orderProcessing.customerServicePhone', 'orderProcessing.refundPolicy'],
  },
  {
    id: 'volume',
    when: always,
    needs: [
      'scheduleABasics.avgSaleAmount',
      'scheduleABasics.maxSaleAmount',
      'scheduleABasics.highMonthlyVolume',
    ],
  },
  { id: 'billing', when: always, needs: ['scheduleADiscountRates.billType'] },
];

interface WarningRule {
  id: string;
  /** The field that the warning is about. An owner's field is checked for each owner. */
  field: FormField;
  when: Condition;
  /** Completes a sentence that begins with the field's name. */
  message: string;
}

const neitherTaxType: Condition = {
  any: [{ isMissing: 'basics.tinType' }, { not: { any: [taxedByEin, taxedBySsn] } }],
};
const readAsEin: Condition = { any: [taxedByEin, { all: [neitherTaxType, company] }] };
const taxId = 'basics.dbaTaxId';
const routing = 'businessBanking.bankRouting';
const ssn: OwnerField = 'businessOwners[].socialSecurityNumber';
const cardPercents = [
  'orderProcessing.cardSwipePercent',
  'orderProcessing.cardKeyedPercent',
  'orderProcessing.cardMoToPercent',
  'orderProcessing.cardInternetPercent',
] as const;
const salesPercents = ['businessDetails.publicSalesPercent', 'businessDetails.b2BSalesPercent'] as const;

const notPhone = 'is not a North American telephone number';
const notEmail = 'is not an email address';

/** Returns a rule for a field that is filled in and has the wrong format. */
const wrongFormat = (id: string, field: FormField, isNot: Format, message: string): WarningRule => ({
  id,
  field,
  when: { field, isNot },
  message,
});

/** Returns a rule for an encrypted value with a fault that was found before encryption. */
const encryptedFault = (id: string, field: FormField, message: string): WarningRule => ({
  id,
  field,
  when: { field, fault: id },
  message,
});

/** Returns a rule that also applies to merchants. */
const commonFault = (id: keyof typeof valueMessages, field: FormField): WarningRule =>
  encryptedFault(id, field, valueMessages[id]);

/** Returns a rule for a street address (two lines) that is a PO box. */
const poBox = (
  id: string,
  [line, second]: readonly [FormField, FormField],
  when: Condition,
): WarningRule => ({
  id,
  field: line,
  when: { all: [when, { any: [line, second].map((field) => ({ field, is: 'po_box' })) }] },
  message: valueMessages.po_box,
});

/** The rules for warnings, in the order of the form. Drafts may have warnings. Warnings do not affect `isComplete`. */
export const warningRules: readonly WarningRule[] = [
  wrongFormat('dba_email', 'basics.dbaEmail', 'email', notEmail),
  wrongFormat('dba_phone', 'basics.dbaPhone', 'phone', notPhone),
  poBox('dba_po_box', ['basics.dbaStreet1', 'basics.dbaStreet2'], {
    any: [{ isMissing: 'basics.locationDifferent' }, { not: { yes: 'basics.locationDifferent' } }],
  }),
  wrongFormat('dba_state', 'basics.dbaState', 'state', valueMessages.state),
  wrongFormat('dba_zip', 'basics.dbaZip', 'zip', valueMessages.zip),
  encryptedFault('tax_id_digits', taxId, 'must have 9 digits'),
  {
    id: 'tax_id_ein_prefix',
    field: taxId,
    when: { all: [readAsEin, { field: taxId, fault: 'tax_id_ein_prefix' }] },
    message: 'is not a valid EIN: its first two digits were never assigned',
  },
  {
    id: 'tax_id_ssn_never_issued',
    field: taxId,
    when: { all: [taxedBySsn, { field: taxId, fault: 'tax_id_ssn_never_issued' }] },
    message: 'is a social security number that was never issued',
  },
  {
    id: 'tax_id_ssn_placeholder',
    field: taxId,
    when: { all: [taxedBySsn, { field: taxId, fault: 'tax_id_ssn_placeholder' }] },
    message: 'is a published placeholder, which belongs to nobody',
  },
  {
    id: 'tax_id_neither',
    field: taxId,
    when: {
      all: [
        neitherTaxType,
        { not: company },
        { field: taxId, fault: 'tax_id_ein_prefix' },
        { field: taxId, fault: 'tax_id_ssn_never_issued' },
      ],
    },
    message: 'is neither a valid EIN nor a valid social security number',
  },
  {
    id: 'tin_type_company',
    field: 'basics.tinType',
    when: { all: [taxedBySsn, company] },
    message: 'must be EIN unless the business is a sole proprietorship',
  },
  wrongFormat('loc_email', 'basics.locEmail', 'email', notEmail),
  wrongFormat('loc_phone', 'basics.locPhone', 'phone', notPhone),
  poBox('loc_po_box', ['basics.locAddr1', 'basics.locAddr2'], { yes: 'basics.locationDifferent' }),
  wrongFormat('loc_state', 'basics.locState', 'state', valueMessages.state),
  wrongFormat('loc_zip', 'basics.locZip', 'zip', valueMessages.zip),
  wrongFormat(
    'mcc',
    'businessDetails.mccNumber',
    'mcc',
    'is not a merchant category code: up to four digits, without leading zeros',
  ),
  wrongFormat('website_address', 'businessDetails.website', 'website', 'is not a web address'),
  {
    id: 'sales_percent',
    field: 'businessDetails.publicSalesPercent',
    when: { total: salesPercents, otherThan: 100 },
    message: 'and b2BSalesPercent do not add up to 100',
  },
  wrongFormat('routing_digits', routing, 'routing_digits', valueMessages.routing_digits),
  wrongFormat('routing_placeholder', routing, 'routing_placeholder', valueMessages.routing_placeholder),
  wrongFormat('routing_checksum', routing, 'routing_checksum', valueMessages.routing_checksum),
  wrongFormat('routing_prefix', routing, 'routing_prefix', valueMessages.routing_prefix),
  commonFault('bank_account_digits', 'businessBanking.bankAccount'),
  {
    id: 'owner_name',
    field: 'businessOwners[].name',
    when: { field: 'businessOwners[].name', isNot: 'owner_name' },
    message: 'cannot be split into first and last name with certainty: enter it as "Last, First"',
  },
  commonFault('ssn_digits', ssn),
  commonFault('ssn_never_issued', ssn),
  commonFault('ssn_placeholder', ssn),
  {
    id: 'ssn_of_two_owners',
    field: ssn,
    when: { field: ssn, sharedByOwners: true },
    message: 'is the same as the value of another owner',
  },
  commonFault('license_characters', 'businessOwners[].driversLicenseNumber'),
  commonFault('birth_date_real', 'businessOwners[].dateOfBirth'),
  commonFault('birth_date_age', 'businessOwners[].dateOfBirth'),
  {
    id: 'card_percent',
    field: 'orderProcessing.cardSwipePercent',
    when: { total: cardPercents, otherThan: 100 },
    message: 'and cardKeyedPercent, cardMoToPercent and cardInternetPercent do not add up to 100',
  },
  wrongFormat('customer_service_phone', 'orderProcessing.customerServicePhone', 'phone', notPhone),
  wrongFormat('customer_service_email', 'orderProcessing.customerServiceEmail', 'email', notEmail),
  {
    id: 'maximum_sale',
    field: 'scheduleABasics.maxSaleAmount',
    when: { field: 'scheduleABasics.maxSaleAmount', lessThan: 'scheduleABasics.avgSaleAmount' },
    message: 'is less than the average sale',
  },
];

interface RiskRule {
  id: string;
  /** The number that is added to the score. A negative number lowers the score. */
  points: number;
  when: Condition;
}

const youngBusiness: Condition = {
  any: [
    {
      all: [
        { total: ['businessHistory.yearsInBiz'], below: 1 },
        {
          any: [
            { isMissing: 'businessHistory.monthsInBiz' },
            { total: ['businessHistory.monthsInBiz'], below: 12 },
          ],
        },
      ],
    },
    {
      all: [
        { isMissing: 'businessHistory.yearsInBiz' },
        { total: ['businessHistory.monthsInBiz'], below: 12 },
      ],
    },
  ],
};
const largestSale = (atLeast: number): Condition => ({ total: ['scheduleABasics.maxSaleAmount'], atLeast });
const chargebacks = (atLeast: number): Condition => ({
  total: ['businessHistory.chargebacksLastYear'],
  atLeast,
});

/**
 * Merchant category codes with a high risk: travel, telephone and subscription marketing, digital goods, adult
 * content, tobacco, mail-order pharmacies, money transfer, gambling, dating.
 */
const highRiskCodes =
  '4722 4829 5122 5816 5912 5962 5964 5966 5967 5968 5969 5993 6051 6211 7273 7801 7802 7995';
const highRiskCategory: Condition = { field: 'businessDetails.mccNumber', among: highRiskCodes.split(' ') };

/** The rules that make up the risk score. If an amount reaches several limits, the points for each limit are added. */
export const riskRules: readonly RiskRule[] = [
  { id: 'card_termination', points: 30, when: { yes: 'businessHistory.cardAcceptTerminationBool' } },
  { id: 'bankruptcy', points: 20, when: { yes: 'businessHistory.bankruptcyBool' } },
  { id: 'collision', points: 20, when: { collisions: 1 } },
  { id: 'several_collisions', points: 20, when: { collisions: 3 } },
  { id: 'watched_category', points: 20, when: highRiskCategory },
  { id: 'card_not_present', points: 15, when: { method: ['ecommerce', 'moto'] } },
  { id: 'card_partly_present', points: 5, when: { method: ['mixed'] } },
  { id: 'young_business', points: 15, when: youngBusiness },
  { id: 'long_history', points: -10, when: { total: ['businessHistory.yearsInBiz'], atLeast: 5 } },
  { id: 'high_volume', points: 10, when: monthlyVolume(50_000) },
  { id: 'very_high_volume', points: 10, when: monthlyVolume(250_000) },
  { id: 'high_ticket', points: 10, when: largestSale(2500) },
  { id: 'very_high_ticket', points: 10, when: largestSale(10_000) },
  { id: 'chargebacks', points: 10, when: chargebacks(5) },
  { id: 'many_chargebacks', points: 15, when: chargebacks(50) },
  {
    id: 'chargeback_amount',
    points: 10,
    when: { total: ['businessHistory.chargebackTotalAmount'], atLeast: 5000 },
  },
  { id: 'seasonal', points: 5, when: { yes: 'businessDetails.seasonalMerchantBool' } },
];

/** The lowest score of each level. */
export const riskLevels = [
  { level: 'critical', from: 75 },
  { level: 'high', from: 50 },
  { level: 'medium', from: 25 },
  { level: 'low', from: 0 },
] as const;

/** The points for each warning, and the maximum for all warnings. */
export const warningPoints = { each: 3, most: 15 };

/** Warnings without points. The form of a person's name is not a risk. */
export const warningsWithoutPoints: ReadonlySet<string> = new Set(['owner_name']);

/** Returns the given method, or derives the method from the form and returns the reasons as facts. */
export function processingMethod(form: FilledForm, given?: ProcessingMethod): ResolvedMethod {
  if (given) return { method: given, facts: [] };
  const tried = methodRules.map(({ method, when }) => ({ method, ...evaluate(when, { form }) }));
  const found = tried.find(({ holds }) => holds);
  return found
    ? { method: found.method, facts: found.facts }
    : { method: 'mixed', facts: tried.flatMap(({ facts }) => facts) };
}

/**
 * Returns the warnings about a form, in the order of its fields. Decrypts nothing, because the ids of the
 * broken rules are stored with the encrypted values. If `mayRead` is false, omits warnings about sensitive values, which the
 * caller sees only as REDACTED, and about owners with equal values: they would show whether a guessed value is right.
 */
export const findWarnings = (form: FilledForm, method: ResolvedMethod, mayRead = true): Warning[] =>
  warningRules
    .filter(({ field, when }) => mayRead || !(Object.hasOwn(faultIds, field) || 'sharedByOwners' in when))
    .flatMap(({ id, field, when, message }) =>
      (isOwnerField(field) ? form.businessOwners : [undefined])
        .filter((owner) => evaluate(when, { form, method, owner }).holds)
        .map((owner) => {
          const path = pathOf(field, owner);
          return { rule: id, section: sectionOf(path), field: path, message };
        }),
    );
