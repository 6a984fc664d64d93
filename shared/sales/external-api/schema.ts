import { ApplicationDocument, documentInput, Upload } from '../../documents/schema.ts';
import {
  array,
  boolean,
  dateTime,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
} from '../../schema.ts';
import { ApplicationInput, InfoRequest, Owner } from '../applications/record/schema.ts';
import { LeadPatch } from '../leads/schema.ts';

/** The id of a record in the caller's own system. Two callers can use the same id for different records. */
const externalId = string({
  minLength: 1,
  maxLength: 128,
  pattern: "^(?:[A-Za-z0-9][A-Za-z0-9._:~@+'-]{0,127}|\\{[A-Fa-f0-9-]{32,36}\\})$",
  description:
    "The id of the record in the caller’s system: letters, digits and . _ : ~ @ + ' -, starting with a letter or digit. It can be an email address, or a GUID in braces.",
  examples: ['L-1001'],
});

const sent = LeadPatch.properties;

/** A lead as a key sends it. The account's teams, sources and users cannot be set. */
export const ExternalLead = object({
  externalId,
  firstName: string({ minLength: 1, maxLength: 200, examples: ['Ada'] }),
  lastName: string({ minLength: 1, maxLength: 200, examples: ['Byron'] }),
  email: sent.email,
  phone: sent.phone,
  company: sent.company,
  jobTitle: sent.jobTitle,
  branch: sent.branch,
  source: sent.source,
  position: sent.position,
  location: sent.location,
  productsServicesSold: sent.productsServicesSold,
  currentPaymentProcessor: sent.currentPaymentProcessor,
  buyingRole: sent.buyingRole,
  notes: sent.notes,
  numberOfEmployees: sent.numberOfEmployees,
  monthlyTransactionVolume: sent.monthlyTransactionVolume,
  interestedInSwitching: sent.interestedInSwitching,
});
export type ExternalLead = Static<typeof ExternalLead>;

const result = oneOf(['created', 'updated', 'unchanged'], {
  description:
    '`unchanged`: the caller has already sent these values. A value that staff changed since then is kept.',
});
export type SaveResult = Static<typeof result>;

export const SavedLead = object({ externalId, result });

export const ExternalLeadBatch = object({
  leads: array(ExternalLead, {
    minItems: 1,
    maxItems: 100,
    description: 'Each externalId at most once.',
  }),
});
export type ExternalLeadBatch = Static<typeof ExternalLeadBatch>;

/**
 * Why a lead of a batch was not saved.
 * - `invalid_input`: the lead is not valid; the result contains `details`
 * - `id_retired`: staff deleted the lead with this id
 * - `record_too_large`: the lead is larger than 300 KB
 * - `busy`: every attempt conflicted with another request; send the lead again
 * - `out_of_time`: processing of the lead did not start in time; send the lead again
 * - `internal_error`: a server error, which does not affect the other leads
 */
export const leadErrors = [
  'invalid_input',
  'id_retired',
  'record_too_large',
  'busy',
  'out_of_time',
  'internal_error',
] as const;
export type LeadError = (typeof leadErrors)[number];

export const ExternalLeadResult = object({
  externalId: string({
    description: 'As sent, at most 128 characters. Empty if the lead has no text as its externalId.',
    examples: ['L-1001'],
  }),
  result: oneOf(['created', 'updated', 'unchanged', 'failed']),
  error: nullable(oneOf(leadErrors, { examples: [null] })),
  details: optional(
    array(
      object({
        field: string({ examples: ['lastName'], description: 'Empty if the lead is not an object.' }),
        message: string({ examples: ['is required'] }),
      }),
      { description: 'For `invalid_input`: at most 20 invalid fields.' },
    ),
  ),
});
export type ExternalLeadResult = Static<typeof ExternalLeadResult>;

const count = integer({ minimum: 0, examples: [1] });

export const ExternalLeadResults = object({
  created: count,
  updated: count,
  unchanged: count,
  failed: count,
  results: array(ExternalLeadResult, { description: 'In the order of the request.' }),
});
export type ExternalLeadResults = Static<typeof ExternalLeadResults>;

const { system, repcode, ...sections } = ApplicationInput.properties;

/** The form as a key sends it, without the fields that only staff set. */
export const ExternalApplicationPatch = object(sections);
export type ExternalApplicationPatch = Static<typeof ExternalApplicationPatch>;

export const ExternalApplicationInput = object({ externalId, ...sections });

/** The id in the path. Any text is accepted, so that a malformed id returns 404. */
export const ExternalApplicationParams = object({
  externalId: string({ minLength: 1, maxLength: 128, examples: ['A-2001'] }),
});

export const ExternalDocumentParams = object({
  ...ExternalApplicationParams.properties,
  documentId: string({ pattern: '^[1-9][0-9]{0,15}$', maxLength: 16, examples: ['214563398120450'] }),
});

const requested = InfoRequest.properties;

/** An application as its key sees it: what is missing, but neither the values of the form nor texts of staff. */
export const ExternalApplication = object({
  externalId,
  status: oneOf(['pending', 'submitted', 'information_requested', 'approved', 'rejected', 'boarded'], {
    readOnly: true,
    description: '`boarded`: the merchant of the approved application became active.',
  }),
  version: integer({ readOnly: true, examples: [1] }),
  isComplete: boolean({ readOnly: true }),
  canSubmit: boolean({ readOnly: true }),
  completeness: integer({
    readOnly: true,
    minimum: 0,
    maximum: 100,
    examples: [75],
    description: 'Percentage of the required fields and documents that are present.',
  }),
  missingFields: array(
    object({
      field: string({ examples: ['businessBanking.bankRouting'] }),
      or: optional(
        string({
          examples: ['businessDetails.mccCategory'],
          description: 'A field that can be filled in instead.',
        }),
      ),
    }),
    { readOnly: true },
  ),
  missingDocuments: array(
    object({
      documentKey: string({ examples: ['voided-check'] }),
      name: string({ examples: ['Voided check'] }),
    }),
    { readOnly: true },
  ),
  openRequests: array(object({ field: requested.field, documentKey: requested.documentKey }), {
    readOnly: true,
    description: 'The fields and documents that the underwriter asked for and that were not sent since then.',
  }),
  owners: array(object({ id: Owner.properties.id, uniqueId: Owner.properties.uniqueId }), {
    readOnly: true,
    description: 'The ids of the owners, for changes and document keys.',
  }),
  createdAt: dateTime({ readOnly: true }),
  submittedAt: optional(dateTime({ readOnly: true })),
  decidedAt: optional(dateTime({ readOnly: true })),
});
export type ExternalApplication = Static<typeof ExternalApplication>;

export const ExternalDocumentInput = documentInput('documentKey');

const { id, contentType, size, sha256, createdAt, uploadedDate } = ApplicationDocument.properties;

/** A document without the fields that staff can change. */
export const ExternalDocument = object({ id, contentType, size, sha256, createdAt, uploadedDate });
export type ExternalDocument = Static<typeof ExternalDocument>;

export const NewExternalDocument = object({ ...ExternalDocument.properties, upload: Upload });
