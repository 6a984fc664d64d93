import { MerchantDocument } from '../../documents/schema.ts';
import {
  array,
  boolean,
  clearable,
  date,
  integer,
  object,
  optional,
  partial,
  recordId,
  type Static,
  string,
  type TProperties,
  unsafe,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { Equipment } from '../equipment/schema.ts';
import { Note } from '../notes/schema.ts';
import {
  addressFields,
  bankingFields,
  complianceFields,
  coreFields,
  principalFields,
  processingFields,
  rateFields,
  riskFields,
} from './fields.ts';

/** How many rows of each kind a merchant may have: they are part of its one item. */
const mostPrincipals = 50;
const mostAddresses = 20;
export const maxRates = 200;

export const MerchantParams = object({ merchantId: recordId() });

/** What every row and object of a merchant has. */
const ids = { id: recordId(), merchantId: recordId() };
const last4 = string({
  maxLength: 4,
  readOnly: true,
  examples: ['6789'],
  description: 'Of an account number of eight characters or more.',
});

/** As a response shows it: its ids, and what is filled in. */
const shown = <P extends TProperties>(fields: P) => object({ ...ids, ...partial(fields).properties });

export const Principal = shown(principalFields);
export const Address = shown(addressFields);
export type Address = Static<typeof Address>;
export const Banking = shown({ ...bankingFields, accountNumberLast4: last4 });
export type Banking = Static<typeof Banking>;
export const Processing = shown(processingFields);
export const Rate = object({ ...shown(rateFields).properties, effectiveDate: date() });
export type Rate = Static<typeof Rate>;
export const Compliance = shown(complianceFields);
export const RiskMetrics = shown(riskFields);

const { id, ...stamps } = recordFields;

/** A merchant's own fields, as lists and PUT show them. */
export const Merchant = object({
  id,
  ...partial(coreFields).properties,
  merchantName: coreFields.merchantName,
  status: coreFields.status,
  processingStatus: coreFields.processingStatus,
  merchantAccountId: string({
    readOnly: true,
    maxLength: 100,
    examples: ['acme-214563398120449'],
    description: 'The account and the merchant in one text, for systems that know neither.',
  }),
  isoAccountId: string({ readOnly: true, maxLength: 64, examples: ['acme'], description: 'The account.' }),
  applicationId: optional(
    string({
      readOnly: true,
      maxLength: 64,
      description: 'What it was made of.',
      examples: ['app_65YB3N0G2M1'],
    }),
  ),
  ...stamps,
});
export type Merchant = Static<typeof Merchant>;

/** What a merchant holds beside its own fields, in one item with them. */
export const MerchantParts = object({
  principals: array(Principal),
  addresses: array(Address),
  banking: Banking,
  processing: Processing,
  rates: array(Rate, { description: 'The newest effectiveDate first.' }),
  compliance: Compliance,
  riskMetrics: RiskMetrics,
});
export type MerchantParts = Static<typeof MerchantParts>;

/** As a request sends it: also as it was shown. */
const sent = <P extends TProperties>(fields: P) =>
  object({ ...partial(ids).properties, ...partial(clearable(fields)).properties });

const RateRow = object({ ...sent(rateFields).properties, effectiveDate: optional(date()) });
export type RateInput = Static<typeof RateRow>;

const { merchantName, status, processingStatus, ...optionalCore } = coreFields;

/** What POST and PUT take beside the name. */
const input = {
  ...clearable(optionalCore),
  status,
  processingStatus,
  principals: array(sent(principalFields), {
    maxItems: mostPrincipals,
    description: 'All of them: one that is not sent is removed. Matched by id, else by first and last name.',
  }),
  addresses: array(sent(addressFields), {
    maxItems: mostAddresses,
    description: 'All of them: one that is not named goes.',
  }),
  banking: object({ ...sent(bankingFields).properties, accountNumberLast4: optional(last4) }),
  processing: sent(processingFields),
  rates: unsafe<RateInput | RateInput[]>({
    ...RateRow,
    type: ['object', 'array'],
    items: RateRow,
    maxItems: maxRates,
    description:
      'An object sets the row of one effectiveDate, default today in the account’s time zone. An array, as GET returns it, sets all rows: a row that is not sent is removed.',
  }),
  compliance: sent(complianceFields),
  riskMetrics: sent(riskFields),
};

/** The body of POST. */
export const MerchantInput = object({ merchantName, ...partial(input).properties });
export type MerchantInput = Static<typeof MerchantInput>;

/** The body of `PUT /merchants/{merchantId}`. */
export const MerchantPatch = partial({ merchantName, ...input });
export type MerchantPatch = Static<typeof MerchantPatch>;

export const RevealQuery = object({
  reveal: optional(
    boolean({ default: false, description: 'Show sensitive values in clear, which needs writeMerchants.' }),
  ),
});

/** What is kept beside a merchant: the newest hundred of each kind, and how many of each there are. */
const MerchantChildren = object({
  equipment: array(Equipment),
  notes: array(Note),
  documents: array(MerchantDocument),
  totals: object({
    equipment: integer({ examples: [1] }),
    notes: integer({ examples: [1] }),
    documents: integer({ examples: [1] }),
  }),
});
export type MerchantChildren = Static<typeof MerchantChildren>;

/** A merchant with all its parts: the response of `GET /merchants/{merchantId}`. */
export const MerchantDetails = object({
  ...Merchant.properties,
  ...MerchantParts.properties,
  ...MerchantChildren.properties,
});
export type MerchantDetails = Static<typeof MerchantDetails>;
