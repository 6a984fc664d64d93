import { type Policy, targetsWith } from '../sla/policy.ts';
import type { StoredAccount } from './schema.ts';

/** What the account promises on tickets now. Its number is the version of the account at which it came into force. */
export const policyOf = ({
  slaPolicyVersion = 1,
  slaTargets,
  timezone,
  businessHours,
}: StoredAccount): Policy => ({
  number: slaPolicyVersion,
  targets: targetsWith(slaTargets),
  timezone,
  ...(businessHours && { businessHours }),
});
