import type { Ownership } from '../../people/ownership/schema.ts';
import type { Static, TSchema } from '../../schema.ts';
import type { Encrypted } from '../../security/encrypted-value.ts';
import type { RecordFields } from '../../table/record-fields.ts';
import type {
  addressFields,
  bankingFields,
  complianceFields,
  coreFields,
  principalFields,
  processingFields,
  rateFields,
  riskFields,
} from './fields.ts';

/** The fields whose values are stored encrypted. */
export const sensitiveMerchantFields = {
  principals: ['ssn', 'driversLicenseNumber', 'dateOfBirth'],
  banking: ['accountNumber'],
} as const;

/** A stored row or object. Contains only fields with a value. Sensitive values are encrypted. `id` never changes. */
type Part<P extends Record<string, TSchema>, Secret extends string = never> = {
  [K in keyof P]?: K extends Secret ? Encrypted : Static<P[K]>;
} & { id: number };

export type StoredPrincipal = Part<
  typeof principalFields,
  (typeof sensitiveMerchantFields.principals)[number]
>;
export type StoredAddress = Part<typeof addressFields>;
type StoredBanking = Part<typeof bankingFields, (typeof sensitiveMerchantFields.banking)[number]>;
export type StoredRate = Part<typeof rateFields> & { effectiveDate: string };

type Core = { [K in keyof typeof coreFields]?: Static<(typeof coreFields)[K]> };

/** A merchant as stored, in one item. Notes, equipment and documents are separate items. */
export interface StoredMerchant extends Core, RecordFields, Ownership {
  merchantName: string;
  status: Static<typeof coreFields.status>;
  processingStatus: Static<typeof coreFields.processingStatus>;
  merchantAccountId: string;
  isoAccountId: string;
  /** The approved application from which the merchant was created. */
  applicationId?: string;
  principals: StoredPrincipal[];
  addresses: StoredAddress[];
  banking: StoredBanking;
  processing: Part<typeof processingFields>;
  /** Sorted by effectiveDate, the newest first. */
  rates: StoredRate[];
  compliance: Part<typeof complianceFields>;
  riskMetrics: Part<typeof riskFields>;
}
