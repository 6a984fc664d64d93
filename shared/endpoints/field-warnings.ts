import { array, object, optional, type Static, string } from '../schema.ts';

const FieldWarning = object({
  field: string({ examples: ['basics.dbaEmail'] }),
  message: string({ examples: ['was not filled, because the email of the lead is not an email address'] }),
});
export type FieldWarning = Static<typeof FieldWarning>;

/** The response field `warnings` of a request that copies values from another record. */
export const fieldWarnings = optional(
  array(FieldWarning, {
    description:
      'The values of the other record that were not copied, or not completely. Absent if there are none.',
  }),
);

/** Returns the response field `warnings`, or nothing if there are no warnings. */
export const warningsIn = (warnings: readonly FieldWarning[]): { warnings?: FieldWarning[] } =>
  warnings.length > 0 ? { warnings: [...warnings] } : {};
