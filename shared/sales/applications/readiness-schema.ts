import { array, boolean, object, oneOf, optional, type Static, string, unsafe } from '../../schema.ts';
import { processingMethods } from './schema.ts';

export const Fact = object({
  field: string({ examples: ['scheduleABasics.highMonthlyVolume'] }),
  value: optional(
    unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      maxLength: 1000,
      examples: [120_000],
      description: 'The value of the field. Omitted if the field is empty or sensitive.',
    }),
  ),
  threshold: optional(
    unsafe<number>({
      type: 'number',
      examples: [100_000],
      description: 'The limit that the value was compared with. Never shown to an applicant.',
    }),
  ),
});

const itemFields = {
  kind: oneOf(['request', 'field', 'document'], {
    description: 'A `request` comes from the underwriter. A `field` or `document` is required by a rule.',
  }),
  section: optional(string({ examples: ['businessBanking'] })),
  field: optional(string({ examples: ['businessBanking.bankRouting'] })),
  or: optional(
    string({
      examples: ['businessDetails.mccCategory'],
      description: 'A field that can be filled in instead.',
    }),
  ),
  documentKey: optional(string({ examples: ['tax-returns'] })),
  message: string({ maxLength: 30_000, examples: ['Tax returns'] }),
  rule: string({ examples: ['tax-returns'], description: 'The rule that requires the field or document.' }),
  facts: array(Fact, { description: 'Why the rule requires the field or document.' }),
};

const blockables = ['completion', 'submission', 'decision'] as const;

/** A step that must still be done. */
export const ReadinessStep = object({
  ...itemFields,
  blocks: array(oneOf(blockables), { description: 'The actions that are blocked until this step is done.' }),
});
export type ReadinessStep = Static<typeof ReadinessStep>;

/** All steps that must still be done for an application, in order. */
export const Readiness = object({
  isComplete: boolean(),
  canSubmit: boolean(),
  processingMethod: oneOf(processingMethods, {
    description: 'Derived from the percentages in orderProcessing.',
  }),
  next: array(ReadinessStep, {
    description: 'All remaining steps, in order: requests of the underwriter, fields, documents.',
  }),
  otherwise: array(
    object({
      processingMethod: oneOf(processingMethods),
      adds: array(ReadinessStep),
      drops: array(ReadinessStep),
    }),
    { description: 'How `next` would change with each of the other processing methods.' },
  ),
});
export type Readiness = Static<typeof Readiness>;
