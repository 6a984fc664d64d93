import { object, optional, string, unsafe } from '../../../schema.ts';

/** A reason why a condition is true or false, as responses show it. */
export const ReadinessFact = object({
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
