import { array, nullable, object, oneOf, optional, type Static, string } from '../schema.ts';
import { decisions, InfoRequest, priorities } from './schema.ts';

const { answered, ...requested } = InfoRequest.properties;

/** What an underwriter decides. Of an item either the field or the document is named. */
export const DecisionInput = object({
  decision: oneOf(decisions),
  reason: optional(
    string({ description: 'Required unless the decision is approved.', examples: ['Sound books'] }),
  ),
  requested: optional(
    array(object(requested), {
      maxItems: 50,
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
