import { object, oneOf, optional, partial, recordId, type Static, string } from '../../schema.ts';
import { recordFields } from '../../table/record-fields.ts';

/** The largest number of MIDs of a merchant. */
export const maxMids = 50;

const mid = string({
  minLength: 1,
  maxLength: 32,
  pattern: '^[A-Za-z0-9-]+$',
  examples: ['4445012345678'],
  description: 'The merchant’s number at a processor. Unique in the account.',
});
const status = oneOf(['active', 'suspended']);

const { id, ...stamps } = recordFields;

/** A merchant's number at a processor. Tickets refer to the `id` of the MID. */
export const Mid = object({ id, mid, merchantId: recordId(), status, ...stamps });
export type Mid = Static<typeof Mid>;

export const MidInput = object({
  mid,
  status: optional(oneOf(['active', 'suspended'], { default: 'active' })),
});
export const MidPatch = partial({
  mid,
  merchantId: recordId({ description: 'Moves the MID to this merchant.' }),
  status,
});
export const MidParams = object({ merchantId: recordId(), midId: recordId() });
