import {
  array,
  integer,
  multilineText,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
  unsafe,
} from '../../../schema.ts';
import { priorities } from '../../../sla/schema.ts';
import { recordFields } from '../../../table/record-fields.ts';
import { principalFields } from '../../merchants/fields.ts';
import { decisions, InfoRequest, maxOwners } from '../record/schema.ts';

const { answered, ...requested } = InfoRequest.properties;

/** The name of an owner as the merchant stores it. */
const OwnerName = object({
  uniqueId: string({
    minLength: 1,
    maxLength: 64,
    examples: ['own_1'],
    description: 'The uniqueId of the owner.',
  }),
  firstName: optional(principalFields.firstName),
  lastName: principalFields.lastName,
});
export type OwnerName = Static<typeof OwnerName>;

/** The decision of an underwriter. Each item of `requested` has either a field or a documentKey. */
export const DecisionInput = object({
  decision: oneOf(decisions, { examples: ['info_requested'] }),
  reason: optional(
    multilineText({
      description: 'Required unless the decision is approved.',
      examples: ['The routing number belongs to another bank.'],
    }),
  ),
  requested: optional(
    array(object(requested), {
      maxItems: 20,
      examples: [[{ field: 'businessBanking.bankRouting', message: 'Please check the routing number.' }]],
      description: 'The fields and documents that the merchant must check. Allowed only with info_requested.',
    }),
  ),
  ownerNames: optional(
    array(OwnerName, {
      maxItems: maxOwners,
      examples: [[]],
      description:
        'First and last names for the merchant’s principals. The names of other owners are split automatically. If a split is not certain, `warnings` contains the rule owner_name, and lastName is the whole name. Allowed only with approved.',
    }),
  ),
});
export type DecisionInput = Static<typeof DecisionInput>;

export const UnderwritingInput = object({
  assignedTo: optional(
    nullable(
      string({
        minLength: 1,
        maxLength: 254,
        description:
          'The underwriter: the id or email of a user. An email address is replaced by the id of its user. Null removes the underwriter.',
        examples: ['214563398120449'],
      }),
    ),
  ),
  priority: optional(nullable(oneOf(priorities))),
});
export type UnderwritingInput = Static<typeof UnderwritingInput>;

export const ApplicationNoteInput = object({
  content: multilineText({
    minLength: 1,
    maxLength: 8000,
    examples: ['Called the bank: the account is in good standing.'],
  }),
});
export type ApplicationNoteInput = Static<typeof ApplicationNoteInput>;
/** A note by the account's staff. Its author is in `createdBy`. A note cannot be changed. */
export const ApplicationNote = object({
  ...recordFields,
  applicationId: string({ readOnly: true, examples: ['app_65YB3N0G2M1'] }),
  content: ApplicationNoteInput.properties.content,
});
export type ApplicationNote = Static<typeof ApplicationNote>;

/** The fields with a sensitive value that is also in another record of the account. Does not contain the values. */
export const Collisions = object({
  data: array(
    object({
      kind: oneOf(['ssn', 'tax_id', 'bank_account']),
      field: string({
        description: 'The field of this application.',
        examples: ['businessOwners[own_1].socialSecurityNumber'],
      }),
      records: array(
        object({
          type: oneOf(['application', 'merchant']),
          id: unsafe<string | number>({ type: ['string', 'integer'], examples: ['app_65YB3N0G2M2'] }),
          field: string({ examples: ['businessOwners[own_7].socialSecurityNumber'] }),
        }),
        { description: 'The other records that have the same value, each with the field that contains it.' },
      ),
    }),
  ),
  totalCount: integer({ examples: [1] }),
});
