import { AuditEntry } from '../../../integrity/audit/schema.ts';
import { ownershipFields } from '../../../people/ownership/schema.ts';
import {
  accountId,
  array,
  boolean,
  clearable,
  credential,
  dateTime,
  integer,
  mapOf,
  multilineText,
  nullable,
  number,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
} from '../../../schema.ts';
import { priorities } from '../../../sla/schema.ts';
import { recordFields } from '../../../table/record-fields.ts';
import { externalOrigin } from '../../external-origin/schema.ts';
import { ReadinessFact } from './fact-schema.ts';
import { ownerFields, sectionFields } from './fields.ts';
import { PartnerState } from './partner-schema.ts';

export const appStatuses = ['pending', 'submitted', 'approved', 'rejected'] as const;
export type AppStatus = (typeof appStatuses)[number];

export const decisions = ['approved', 'rejected', 'info_requested'] as const;
/** How the merchant accepts cards. The method determines which documents are required. */
export const processingMethods = ['card_present', 'ecommerce', 'moto', 'mixed'] as const;
export type ProcessingMethod = (typeof processingMethods)[number];

const documentCategories = ['identification', 'business', 'financial', 'operational', 'banking'] as const;
export type DocumentCategory = (typeof documentCategories)[number];

/** The largest number of owners. With this limit, the largest change fits into one transaction. */
export const maxOwners = 25;

/** An application's id: `app_` and Crockford base 32, or 10 to 64 characters chosen by the client. */
export const ApplicationParams = object({
  applicationId: string({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._~-]{0,63}$',
    maxLength: 64,
    examples: ['app_65YB3N0G2M1'],
  }),
});

/**
 * Accepts any text. With `ApplicationParams`, an invalid id would return 404, but a PATCH that creates an
 * application must return 400.
 */
export const AnyApplicationParams = object({
  applicationId: string({ minLength: 1, examples: ['app_65YB3N0G2M1'] }),
});

/** The query parameters that determine the content of a response. */
export const ApplicationReadQuery = object({
  includeFullResponse: optional(
    boolean({ default: false, description: 'Add documentRequirements and validation to the response.' }),
  ),
  includeDocuments: optional(
    boolean({ default: false, description: 'Add documentRequirements to the response.' }),
  ),
  processingMethod: optional(
    oneOf(processingMethods, {
      description: 'Apply the rules of this processing method. Default: the method of the form.',
    }),
  ),
  showAllDocuments: optional(
    boolean({ default: false, description: 'Also list documents that are not required.' }),
  ),
  reveal: optional(
    boolean({
      description:
        'If false, sensitive values are REDACTED and the appKey is omitted. If absent, they are shown to callers with a fresh proof.',
    }),
  ),
});
export type ApplicationReadQuery = Static<typeof ApplicationReadQuery>;

export const ApplicationPatchQuery = object({
  createIfNotExists: optional(
    boolean({
      description: 'Create the application with this id (at least 10 characters) if it does not exist.',
    }),
  ),
  preserveOtherOwners: optional(
    boolean({ default: false, description: 'Keep owners that are not in the body.' }),
  ),
  ...ApplicationReadQuery.properties,
});

const ownerIds = {
  id: integer({
    minimum: 1,
    examples: [1],
    description: 'The number of the owner in this application. Never reused.',
  }),
  uniqueId: string({
    minLength: 1,
    maxLength: 64,
    examples: ['own_1'],
    description: 'Identifies the owner in document keys.',
  }),
};

/** An owner in a response. */
export const Owner = object({ ...ownerIds, ...partial(ownerFields).properties });
export type Owner = Static<typeof Owner>;

const OwnerInput = object({ ...partial(ownerIds).properties, ...partial(clearable(ownerFields)).properties });
export type OwnerInput = Static<typeof OwnerInput>;

/** The state of an application. The values of the `…Bool` fields are the strings `true` and `false`. */
export const ApplicationSystem = object(
  partial({
    appKey: credential({
      readOnly: true,
      examples: ['mo_ak_0Xk3P9aQe7RtY2uIoP4sDfGh1jKlZxCvBnM5qWeRtY6uI8oPa'],
      description: 'The key for the merchant’s link. Shown only to callers that may change applications.',
    }),
    appStatus: oneOf(appStatuses),
    submitted: boolean({ readOnly: true }),
    submittedBy: string({ readOnly: true, examples: ['grace@example.com'] }),
    submittedDate: dateTime({ readOnly: true }),
    appFlags: multilineText({ maxLength: 5000, examples: ['vip'] }),
    applicationLog: multilineText({ maxLength: 20_000, examples: ['Called the merchant on Monday.'] }),
    appCreatedDate: dateTime({ readOnly: true }),
    appUpdatedDate: dateTime({ readOnly: true }),
    appCompletedByMerchantBool: string({ readOnly: true, examples: ['true'] }),
    appCompletedByMerchantDate: dateTime({ readOnly: true }),
    appSubmittedBool: string({ readOnly: true, examples: ['true'] }),
    appSubmittedDate: dateTime({ readOnly: true }),
    appSentForEsignDate: dateTime({ readOnly: true }),
    merchantSignedDate: dateTime({ readOnly: true }),
    appAcceptedBool: string({ readOnly: true, examples: ['false'] }),
    appAcceptedDate: dateTime({ readOnly: true }),
    agentCode: string({ readOnly: true, examples: ['R-17'] }),
    documentId: string({ readOnly: true, examples: ['214563398120450'] }),
  }).properties,
);
export type ApplicationSystem = Static<typeof ApplicationSystem>;

/** The underwriter's request for a field or a document. */
export const InfoRequest = object({
  field: optional(string({ minLength: 1, maxLength: 200, examples: ['businessBanking.bankRouting'] })),
  documentKey: optional(string({ minLength: 1, maxLength: 100, examples: ['voided-check'] })),
  message: multilineText({ minLength: 1, maxLength: 1000, examples: ['Please check the routing number.'] }),
  answered: optional(boolean({ readOnly: true })),
});
export type InfoRequest = Static<typeof InfoRequest>;

/** A rule that raised or lowered the risk score. */
export const RiskFactor = object({
  rule: string({ examples: ['high_ticket'] }),
  points: integer({ examples: [15] }),
  fact: string({ examples: ['maxSaleAmount is 5000'] }),
});
export const RiskAssessment = object({
  score: integer({ minimum: 0, maximum: 100, examples: [35], description: '0 is the least risk.' }),
  level: oneOf(['low', 'medium', 'high', 'critical']),
  factors: array(RiskFactor),
  assessedAt: dateTime(),
  assessedBy: string({ examples: ['grace@example.com'] }),
});
export type RiskAssessment = Static<typeof RiskAssessment>;

export const UnderwritingDecision = object({
  decision: oneOf(decisions),
  reason: optional(multilineText({ examples: ['Sound books'] })),
  decidedBy: string({ examples: ['grace@example.com'] }),
  decidedAt: dateTime(),
});

export const ruleModes = ['off', 'shadow', 'live'] as const;
export const ruleActions = ['approve', 'request_information', 'assign', 'flag'] as const;

/** The result of an automatic rule at the last submission. */
export const RuleResult = object({
  ruleId: recordId({ description: 'The id of the rule.' }),
  name: string({ examples: ['Small retail businesses'] }),
  version: integer({ examples: [1], description: 'The `ruleVersion` of the rule.' }),
  mode: oneOf(ruleModes, { examples: ['live'] }),
  action: oneOf(ruleActions, { examples: ['approve'] }),
  assignedTo: optional(
    string({ examples: ['214563398120449'], description: 'The underwriter of the action.' }),
  ),
  priority: optional(oneOf(priorities, { description: 'The priority of the action.' })),
  applied: boolean({ description: 'Whether the condition of the rule was true.' }),
  unknown: optional(
    boolean({
      description:
        'True if the condition was neither true nor false, because fields that it tests are empty.',
    }),
  ),
  acted: boolean({ description: 'Whether the rule acted: the first live rule that applied.' }),
  problem: optional(
    string({
      examples: ['assignedTo is not an active user of this account'],
      description: 'Why the rule applied first and could not act.',
    }),
  ),
  facts: array(ReadinessFact, {
    description: 'At most 8 facts, and 100 for all rules, with texts of at most 100 characters.',
  }),
});
export type RuleResult = Static<typeof RuleResult>;

/** A reason that an automatic rule shows to the underwriter. */
const RuleFlag = object({
  ruleId: recordId({ description: 'The id of the rule.' }),
  version: integer({ examples: [1] }),
  reason: multilineText({ examples: ['The volume is high for a young business.'] }),
});

/** Data for the account's staff only. */
export const ApplicationAdmin = object(
  partial({
    leadId: recordId(),
    merchantId: recordId(),
    ...externalOrigin,
    boardedAt: dateTime({
      description: 'When the merchant became active, for an application of the external API.',
    }),
    assignedTo: string({ examples: ['214563398120449'], description: 'The underwriter: the id of a user.' }),
    priority: oneOf(priorities),
    risk: object({
      ...RiskAssessment.properties,
      factors: optional(
        array(RiskFactor, { description: 'Shown only to callers with readApplications and readMerchants.' }),
      ),
    }),
    decision: UnderwritingDecision,
    infoRequested: array(InfoRequest),
    rules: array(RuleResult, {
      description:
        'The automatic rules at the last submission, by priority. Shown only to callers with readApplications and readMerchants.',
    }),
    flags: array(RuleFlag, {
      description: 'The reasons of rules with the action `flag` at the last submission.',
    }),
    partner: PartnerState,
  }).properties,
  { readOnly: true },
);
export type ApplicationAdmin = Static<typeof ApplicationAdmin>;

/** A file of a document. */
export const UploadedFile = object({
  id: string({ examples: ['214563398120450'] }),
  name: string({ examples: ['voided-check.pdf'] }),
  contentType: string({ examples: ['application/pdf'] }),
  size: integer({ examples: [48_213], description: 'Bytes.' }),
  status: oneOf(['pending', 'approved', 'rejected']),
  uploadedDate: dateTime(),
  uploadedBy: string({ examples: ['appKey:app_65YB3N0G2M1'] }),
});
export type UploadedFile = Static<typeof UploadedFile>;

const requirement = {
  key: string({ examples: ['voided-check'] }),
  name: string({ examples: ['Voided check'] }),
  category: oneOf(documentCategories),
};
export const Requirement = object({
  ...requirement,
  ownerName: optional(string({ examples: ['Ada Byron'] })),
  required: boolean(),
  uploaded: boolean(),
});

/** The required documents of an application, and the uploaded files. */
export const DocumentRequirements = object(
  {
    total: integer({ examples: [4] }),
    byCategory: object({
      identification: array(Requirement),
      business: array(Requirement),
      financial: array(Requirement),
      operational: array(Requirement),
      banking: array(Requirement),
    }),
    ownerSpecific: array(Requirement),
    businessGeneral: array(Requirement),
    allDocuments: array(
      object({
        ...requirement,
        ownerName: optional(string({ examples: ['Ada Byron'] })),
        uploaded: boolean(),
        uploadInfo: optional(UploadedFile),
      }),
    ),
    uploadedDocuments: mapOf(object({ key: requirement.key, files: array(UploadedFile) })),
    requiredDocuments: array(object({ ...requirement, required: boolean(), uploaded: boolean() })),
    completeness: object({
      uploaded: integer({ examples: [3] }),
      required: integer({ examples: [4] }),
      percentage: number({ minimum: 0, maximum: 100, examples: [75] }),
    }),
  },
  { 'x-volatile': true },
);
export type DocumentRequirements = Static<typeof DocumentRequirements>;

export const MissingField = object({
  section: string({ examples: ['basics'] }),
  field: string({ examples: ['basics.dbaName'] }),
  message: string({ examples: ['is required'] }),
});
export const Warning = object({
  rule: string({ examples: ['routing_checksum'] }),
  section: string({ examples: ['businessBanking'] }),
  field: string({ examples: ['businessBanking.bankRouting'] }),
  message: string({ examples: ['is not a valid routing number: its check digit is wrong'] }),
});
export type Warning = Static<typeof Warning>;

/** Missing items and warnings. Warnings do not block anything. */
export const Validation = object(
  {
    isComplete: boolean(),
    canSubmit: boolean(),
    missingFields: array(MissingField),
    missingDocuments: array(string({ examples: ['voided-check'] })),
    sections: mapOf(
      object({ complete: boolean(), missing: array(string({ examples: ['basics.dbaName'] })) }),
    ),
    warnings: array(Warning),
  },
  { 'x-volatile': true },
);
export type Validation = Static<typeof Validation>;

const { id: _, ...stamps } = recordFields;

/** The sections in a response. Empty fields are omitted. */
export const shownSections = {
  basics: object(partial(sectionFields.basics).properties),
  businessDetails: object(partial(sectionFields.businessDetails).properties),
  businessHistory: object(partial(sectionFields.businessHistory).properties),
  businessBanking: object(partial(sectionFields.businessBanking).properties),
  businessOwners: array(Owner),
  orderProcessing: object(partial(sectionFields.orderProcessing).properties),
  scheduleABasics: object(partial(sectionFields.scheduleABasics).properties),
  scheduleADiscountRates: object(partial(sectionFields.scheduleADiscountRates).properties),
  scheduleAPerItemFees: object(partial(sectionFields.scheduleAPerItemFees).properties),
};

/** The sections in a request. Null clears a field. A section must not be null. */
const sentSections = {
  basics: object(partial(clearable(sectionFields.basics)).properties),
  businessDetails: object(partial(clearable(sectionFields.businessDetails)).properties),
  businessHistory: object(partial(clearable(sectionFields.businessHistory)).properties),
  businessBanking: object(partial(clearable(sectionFields.businessBanking)).properties),
  businessOwners: array(OwnerInput, { maxItems: maxOwners }),
  orderProcessing: object(partial(clearable(sectionFields.orderProcessing)).properties),
  scheduleABasics: object(partial(clearable(sectionFields.scheduleABasics)).properties),
  scheduleADiscountRates: object(partial(clearable(sectionFields.scheduleADiscountRates)).properties),
  scheduleAPerItemFees: object(partial(clearable(sectionFields.scheduleAPerItemFees)).properties),
};

const repcode = string({ maxLength: 100, examples: ['R-17'], description: 'Representative code.' });

export const Application = object({
  id: string({ readOnly: true, examples: ['app_65YB3N0G2M1'] }),
  repcode: optional(repcode),
  ...ownershipFields,
  custom_domain: optional(
    string({
      readOnly: true,
      examples: ['apply.example.com'],
      description:
        'The host of the account’s portal. Only in the response of GET /applications/{applicationId}.',
    }),
  ),
  system: ApplicationSystem,
  ...shownSections,
  admin: optional(ApplicationAdmin),
  ...stamps,
  auditLog: optional(array(AuditEntry, { readOnly: true })),
  documentRequirements: optional(DocumentRequirements),
  validation: optional(Validation),
  infoRequested: optional(
    array(InfoRequest, { readOnly: true, description: 'The merchant’s copy of `admin.infoRequested`.' }),
  ),
});
export type Application = Static<typeof Application>;

/** A decided application, which always has `admin`, with the warnings about its form. */
export const DecidedApplication = object({
  ...Application.properties,
  admin: ApplicationAdmin,
  warnings: optional(
    array(Warning, {
      description: 'As in `validation.warnings`. Only for callers who may read applications.',
    }),
  ),
});

/** An application in a list, without sections and sensitive values. Long texts are truncated. */
export const ApplicationSummary = object({
  id: string({ examples: ['app_65YB3N0G2M1'] }),
  accountId: accountId(),
  version: integer({ examples: [1] }),
  status: oneOf(appStatuses),
  ...partial({
    priority: oneOf(priorities),
    assignedTo: string({ examples: ['214563398120449'] }),
    ...ownershipFields,
    repcode: string({ examples: ['R-17'] }),
    dbaName: string({ examples: ['Harbor Street Coffee'] }),
    dbaContact: string({ examples: ['Ada Byron'] }),
    ownerNames: string({ examples: ['Ada Byron, Grace Hopper'] }),
    dbaEmail: string({ examples: ['ada@example.com'] }),
    dbaPhone: string({ examples: ['+1 415 555 0134'] }),
    dbaCity: string({ examples: ['San Francisco'] }),
    dbaState: string({ examples: ['CA'] }),
    mccNumber: integer({ minimum: 0, examples: [5814] }),
    highMonthlyVolume: integer({ minimum: 0, examples: [25_000], description: 'Dollars.' }),
  }).properties,
  isComplete: boolean(),
  completeness: integer({
    minimum: 0,
    maximum: 100,
    examples: [75],
    description: 'Percentage of the required fields and documents that are present.',
  }),
  ...partial({ leadId: recordId(), merchantId: recordId(), ...externalOrigin }).properties,
  decision: optional(
    oneOf(decisions, {
      description:
        'The last decision. With the status pending, `info_requested` means that the application waits for information.',
    }),
  ),
  createdAt: dateTime(),
  createdBy: optional(string({ examples: ['grace@example.com'] })),
  updatedAt: dateTime(),
  submittedAt: optional(dateTime()),
  decidedAt: optional(dateTime()),
  completedAt: optional(dateTime({ description: 'When the application was complete for the first time.' })),
});
export type ApplicationSummary = Static<typeof ApplicationSummary>;

/** The body of POST and PATCH. */
export const ApplicationInput = object({
  repcode: optional(nullable(repcode)),
  system: optional(
    object({
      appStatus: optional(oneOf(appStatuses, { description: 'Read-only: must equal the current status.' })),
      appFlags: optional(nullable(multilineText({ maxLength: 5000, examples: ['vip'] }))),
      applicationLog: optional(
        nullable(multilineText({ maxLength: 20_000, examples: ['Called on Monday.'] })),
      ),
    }),
  ),
  ...partial(sentSections).properties,
});
export type ApplicationInput = Static<typeof ApplicationInput>;
