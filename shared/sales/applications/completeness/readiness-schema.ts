import {
  array,
  boolean,
  object,
  oneOf,
  optional,
  partial,
  type Static,
  string,
  union,
} from '../../../schema.ts';
import { ReadinessFact } from '../record/fact-schema.ts';
import { processingMethods } from '../record/schema.ts';

const section = string({ examples: ['businessBanking'] });
const field = string({ examples: ['businessBanking.bankRouting'] });
const or = string({
  examples: ['businessDetails.mccCategory'],
  description: 'A field that can be filled in instead.',
});
const documentKey = string({ examples: ['tax-returns'] });

export const BlockedAction = oneOf(['completion', 'submission', 'decision']);
const reasons = {
  message: string({ maxLength: 30_000, examples: ['Tax returns'] }),
  rule: string({ examples: ['tax-returns'], description: 'The rule that requires the field or document.' }),
  facts: array(ReadinessFact, { description: 'Why the rule requires the field or document.' }),
  blocks: array(BlockedAction, { description: 'The actions that are blocked until this step is done.' }),
};

/** A request of the underwriter for a field or a document. */
export const ReadinessRequest = object(
  {
    kind: oneOf(['request']),
    ...partial({ section, field, or, documentKey }).properties,
    ...reasons,
  },
  { description: 'A request of the underwriter.' },
);
export type ReadinessRequest = Static<typeof ReadinessRequest>;
export const ReadinessField = object(
  { kind: oneOf(['field']), section, field, or: optional(or), ...reasons },
  { description: 'A field that a rule requires.' },
);
export const ReadinessDocument = object(
  { kind: oneOf(['document']), documentKey, ...reasons },
  { description: 'A document that a rule requires.' },
);

/** A step that must still be done. */
export const ReadinessStep = union('kind', [ReadinessRequest, ReadinessField, ReadinessDocument], {
  examples: [
    {
      kind: 'document',
      documentKey: 'tax-returns',
      message: 'Tax returns',
      rule: 'tax-returns',
      facts: [{ field: 'scheduleABasics.highMonthlyVolume', value: 120_000, threshold: 100_000 }],
      blocks: ['completion'],
    },
  ],
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
