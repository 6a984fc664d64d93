import { type Policy, targetsWith } from '../sla/policy.ts';
import type { StoredAccount } from './schema.ts';

export const accountPolicy = ({
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
