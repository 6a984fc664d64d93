import {
  array,
  integer,
  nullable,
  object,
  oneOf,
  optional,
  type Static,
  string,
  unsafe,
} from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';
import { decisions, InfoRequest, priorities } from './schema.ts';

const { answered, ...requested } = InfoRequest.properties;

/** What an underwriter decides. Of an item either the field or the document is named. */
export const DecisionInput = object({
  decision: oneOf(decisions, { examples: ['info_requested'] }),
  reason: optional(
    string({
      description: 'Required unless the decision is approved.',
      examples: ['The routing number does not fit the bank.'],
    }),
  ),
  requested: optional(
    array(object(requested), {
      maxItems: 20,
      examples: [[{ field: 'businessBanking.bankRouting', message: 'Please check the routing number.' }]],
      description: 'Only with info_requested: what the merchant is asked for.',
    }),
  ),
});
export type DecisionInput = Static<typeof DecisionInput>;

/** Who judges an application, and how soon. */
export const UnderwritingInput = object({
  assignedTo: optional(
    nullable(
      string({
        minLength: 1,
        maxLength: 254,
        description:
          'A user: its id, or its email, which is stored as the id. Null takes it from whoever has it.',
        examples: ['214563398120449'],
      }),
    ),
  ),
  priority: optional(nullable(oneOf(priorities))),
});
export type UnderwritingInput = Static<typeof UnderwritingInput>;

export const NoteInput = object({
  content: string({
    minLength: 1,
    maxLength: 8000,
    examples: ['Called the bank: the account is in good standing.'],
  }),
});
export type NoteInput = Static<typeof NoteInput>;
/** A note of the account's staff; `createdBy` wrote it. It does not change. */
export const ApplicationNote = object({
  ...recordFields,
  applicationId: string({ readOnly: true, examples: ['app_65YB3N0G2M1'] }),
  content: NoteInput.properties.content,
});
export type ApplicationNote = Static<typeof ApplicationNote>;

/** What an application has in common with other records of its account; never the values themselves. */
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
        { description: 'The other records that hold the same value, and in which field.' },
      ),
    }),
  ),
  totalCount: integer({ examples: [1] }),
});
