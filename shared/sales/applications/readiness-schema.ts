import { array, boolean, object, oneOf, optional, type Static, string, unsafe } from '../../schema.ts';
import { processingMethods } from './schema.ts';

const Fact = object({
  field: string({ examples: ['scheduleABasics.highMonthlyVolume'] }),
  value: optional(
    unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      maxLength: 1000,
      examples: [120_000],
      description: 'Left out where nothing is filled in, and always where the field is sensitive.',
    }),
  ),
  threshold: optional(
    unsafe<number>({
      type: 'number',
      examples: [100_000],
      description: 'What the value was compared with. Never shown to an applicant.',
    }),
  ),
});

const itemFields = {
  kind: oneOf(['request', 'field', 'document'], {
    description: 'Something that the underwriter asked for, or a field or a document that a rule asks for.',
  }),
  section: optional(string({ examples: ['businessBanking'] })),
  field: optional(string({ examples: ['businessBanking.bankRouting'] })),
  or: optional(
    string({ examples: ['businessDetails.mccCategory'], description: 'Another field that does as well.' }),
  ),
  documentKey: optional(string({ examples: ['tax-returns'] })),
  message: string({ maxLength: 30_000, examples: ['Tax returns'] }),
  rule: string({ examples: ['tax-returns'], description: 'What asks for it.' }),
  facts: array(Fact, { description: 'By which the rule asks for it.' }),
};

const blockables = ['completion', 'submission', 'decision'] as const;

/** One thing to do. */
export const ReadinessStep = object({
  ...itemFields,
  blocks: array(oneOf(blockables), {
    description:
      'What waits for it: the application being complete, its submission, or the underwriter’s decision.',
  }),
});
export type ReadinessStep = Static<typeof ReadinessStep>;

/** What is left to do for an application, all of it and in order. */
export const Readiness = object({
  isComplete: boolean(),
  canSubmit: boolean(),
  processingMethod: oneOf(processingMethods, { description: 'As the shares of the form tell it.' }),
  next: array(ReadinessStep, {
    description:
      'Everything that is left, in order: what the underwriter asked for, then fields, then documents.',
  }),
  otherwise: array(
    object({
      processingMethod: oneOf(processingMethods),
      adds: array(ReadinessStep),
      drops: array(ReadinessStep),
    }),
    { description: 'What each other way of taking cards would add to `next` and drop from it.' },
  ),
});
export type Readiness = Static<typeof Readiness>;
