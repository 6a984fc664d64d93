import { MerchantDocument } from '../../documents/schema.ts';
import { ownershipFields } from '../../people/ownership/schema.ts';
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

/**
 * The maximum numbers of principals, addresses and rates of a merchant. All of them are stored in the merchant's item,
 * and DynamoDB limits the size of an item.
 */
const maxPrincipals = 50;
const maxAddresses = 20;
export const maxRates = 200;

export const MerchantParams = object({ merchantId: recordId() });

/** The ids that every row and object of a merchant has. */
const ids = { id: recordId(), merchantId: recordId() };
const last4 = string({
  maxLength: 4,
  readOnly: true,
  examples: ['6789'],
  description: 'The last four characters of an account number with at least eight characters.',
});

/** The response schema of a row: its ids and the fields that have a value. */
const shown = <P extends TProperties>(fields: P) => object({ ...ids, ...partial(fields).properties });

const MerchantPrincipal = shown(principalFields);
const Address = shown(addressFields);
export const Banking = shown({ ...bankingFields, accountNumberLast4: last4 });
export type Banking = Static<typeof Banking>;
const Processing = shown(processingFields);
const Rate = object({ ...shown(rateFields).properties, effectiveDate: date() });
const Compliance = shown(complianceFields);
const RiskMetrics = shown(riskFields);

const { id, ...stamps } = recordFields;

/** A merchant without rows, objects and children, as in lists and in the response of PUT. */
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
    description: 'The account id and the merchant id in one text, for external systems.',
  }),
  isoAccountId: string({
    readOnly: true,
    maxLength: 64,
    examples: ['acme'],
    description: 'The id of the account.',
  }),
  applicationId: optional(
    string({
      readOnly: true,
      maxLength: 64,
      description: 'The approved application from which the merchant was created.',
      examples: ['app_65YB3N0G2M1'],
    }),
  ),
  ...ownershipFields,
  ...stamps,
});
export type Merchant = Static<typeof Merchant>;

const MerchantWarning = object({
  rule: string({ examples: ['routing_checksum'] }),
  field: string({ examples: ['banking.routingNumber'] }),
  message: string({ examples: ['is not a valid routing number: its check digit is wrong'] }),
});
export type MerchantWarning = Static<typeof MerchantWarning>;

const MerchantWarnings = array(MerchantWarning, {
  readOnly: true,
  'x-volatile': true,
  description:
    'Values that are probably wrong, such as a routing number without its leading zero. The rules are those of applications. Warnings do not block anything.',
});

/** A merchant in the response of a change. `warnings` is present if the caller may read the merchant. */
export const ChangedMerchant = object({ ...Merchant.properties, warnings: optional(MerchantWarnings) });
export type ChangedMerchant = Static<typeof ChangedMerchant>;

/** The rows and objects of a merchant, which are in the same item. */
export const MerchantParts = object({
  principals: array(MerchantPrincipal),
  addresses: array(Address),
  banking: Banking,
  processing: Processing,
  rates: array(Rate, { description: 'Ordered by effectiveDate, the newest first.' }),
  compliance: Compliance,
  riskMetrics: RiskMetrics,
  warnings: MerchantWarnings,
});
export type MerchantParts = Static<typeof MerchantParts>;

/** The request schema of a row. It also accepts a row as returned by GET. */
const sent = <P extends TProperties>(fields: P) =>
  object({ ...partial(ids).properties, ...partial(clearable(fields)).properties });

const RateRow = object({ ...sent(rateFields).properties, effectiveDate: optional(date()) });
export type RateInput = Static<typeof RateRow>;

const { merchantName, status, processingStatus, ...optionalCore } = coreFields;

/** The fields of POST and PUT, without the name. */
const input = {
  ...clearable(optionalCore),
  status,
  processingStatus,
  principals: array(sent(principalFields), {
    maxItems: maxPrincipals,
    description:
      'All principals. A principal is matched by id or, without an id, by first and last name. A principal that is not sent is removed.',
  }),
  addresses: array(sent(addressFields), {
    maxItems: maxAddresses,
    description: 'All addresses. An address that is not sent is removed.',
  }),
  banking: object({ ...sent(bankingFields).properties, accountNumberLast4: optional(last4) }),
  processing: sent(processingFields),
  rates: unsafe<RateInput | RateInput[]>({
    ...RateRow,
    type: ['object', 'array'],
    items: RateRow,
    maxItems: maxRates,
    description:
      'An object sets the row of one effectiveDate (default: today in the account’s time zone). An array, as returned by GET, sets the sent rows and removes all other rows.',
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
    boolean({
      default: false,
      description: 'Show sensitive values in plain text. Requires the permission writeMerchants.',
    }),
  ),
});

/** The newest 100 children of each kind, and their total numbers. */
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
