import { AuditEntry } from '../../integrity/audit/schema.ts';
import { participants } from '../../people/ownership/schema.ts';
import {
  array,
  boolean,
  clearable,
  dateTime,
  integer,
  multilineText,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  recordId,
  type Static,
  string,
  webAddress,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { externalOrigin } from '../external-origin/schema.ts';

const names = {
  firstName: string({ minLength: 1, maxLength: 200, examples: ['Ada'] }),
  lastName: string({ minLength: 1, maxLength: 200, examples: ['Byron'] }),
};

/** The optional fields. In a change, null clears a field. */
const details = {
  teamId: recordId({ description: 'Required if the account has active teams.' }),
  leadSourceId: recordId({ description: 'Required if the team has active lead sources.' }),
  imgSrc: webAddress(),
  email: string({ description: 'Free text. An empty text clears the field.', examples: ['ada@example.com'] }),
  phone: string({ description: 'Free text. An empty text clears the field.', examples: ['+1 415 555 0134'] }),
  company: string({ examples: ['Analytical Engines'] }),
  jobTitle: string({ examples: ['Owner'] }),
  branch: string({ examples: ['Harbor Street'] }),
  source: string({ examples: ['Trade fair'] }),
  position: string({ examples: ['Store manager'] }),
  location: string({ examples: ['San Francisco, CA'] }),
  productsServicesSold: multilineText({ examples: ['Coffee and pastries'] }),
  currentPaymentProcessor: string({ examples: ['Northwind Payments'] }),
  processStage: string({ examples: ['Comparing offers'] }),
  buyingRole: string({ examples: ['Decision maker'] }),
  notes: multilineText({
    maxLength: 65_536,
    description: 'A list shows the first 500 characters.',
    examples: ['Call after the lunch rush.'],
  }),
  numberOfEmployees: integer({ minimum: 0, examples: [12] }),
  monthlyTransactionVolume: integer({ minimum: 0, description: 'Dollars.', examples: [25_000] }),
  interestedInSwitching: boolean(),
  assignedTo: string({
    minLength: 1,
    maxLength: 254,
    description: 'The id or email of a user. An email address is replaced by the id of its user.',
    examples: ['214563398120449'],
  }),
  lastContacted: dateTime(),
};

const optionalDetails = partial(details).properties;

/** A lead in a list. */
export const Lead = object({
  ...recordFields,
  ...names,
  ...optionalDetails,
  applicationId: optional(
    string({
      readOnly: true,
      description: 'The application that the lead was converted to.',
      examples: ['app_7H2K9M4QX1'],
    }),
  ),
  participants: optional(participants),
  archived: boolean(),
  qualification: optional(oneOf(['qualified', 'disqualified'], { readOnly: true })),
  qualificationReason: optional(multilineText({ readOnly: true, examples: ['Ready to switch'] })),
  ...partial(externalOrigin).properties,
  possibleDuplicates: optional(
    array(recordId(), {
      readOnly: true,
      description:
        'Leads that had the same email or telephone number when a key sent this lead through the external API. At most 20. Leads that the caller does not reach are in `hiddenDuplicates`.',
    }),
  ),
  hiddenDuplicates: optional(
    array(object({ teamId: optional(recordId({ description: 'The team of the lead, or of its owner.' })) }), {
      readOnly: true,
      description: 'One entry for each possible duplicate that the caller does not reach, without its id.',
    }),
  ),
});
export type Lead = Static<typeof Lead>;

/** A lead with its newest 100 audit entries, newest first. */
export const LeadWithAudit = object({ ...Lead.properties, auditLog: array(AuditEntry, { readOnly: true }) });
export type LeadWithAudit = Static<typeof LeadWithAudit>;

export const LeadInput = object({ ...names, ...optionalDetails });
export type LeadInput = Static<typeof LeadInput>;

export const LeadPatch = object({ ...partial(names).properties, ...partial(clearable(details)).properties });
export type LeadPatch = Static<typeof LeadPatch>;

export const LeadParams = object({ leadId: recordId() });

export const Reason = object({ reason: optional(multilineText({ examples: ['Ready to switch'] })) });

export const LeadAssignment = object({
  assignedTo: optional(nullable(string({ minLength: 1, maxLength: 254, examples: ['214563398120449'] }))),
});
