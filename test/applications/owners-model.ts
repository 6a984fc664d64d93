import fc from 'fast-check';
import type { OwnerInput } from '../../shared/sales/applications/schema.ts';

/** An owner with unencrypted values. */
export interface ModelOwner {
  id: number;
  uniqueId: string;
  name?: string;
  socialSecurityNumber?: string;
  driversLicenseNumber?: string;
  dateOfBirth?: string;
}

export interface ModelState {
  owners: ModelOwner[];
  nextId: number;
}

/** The owners of a request. */
export interface OwnersPatch {
  owners: OwnerInput[];
  preserveOtherOwners: boolean;
}

const secrets = ['socialSecurityNumber', 'driversLicenseNumber', 'dateOfBirth'] as const;
const fields = ['name', ...secrets] as const;

const value = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('alpha', 'beta', 'gamma') },
  { weight: 2, arbitrary: fc.constant('REDACTED') },
  { weight: 1, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.constant('') },
);
/** Only few ids and uniqueIds, so that they collide. */
const owner: fc.Arbitrary<OwnerInput> = fc.record(
  {
    id: fc.integer({ min: 1, max: 5 }),
    uniqueId: fc.constantFrom('u1', 'u2', 'u3'),
    name: value,
    socialSecurityNumber: value,
    driversLicenseNumber: value,
    dateOfBirth: value,
  },
  { requiredKeys: [] },
);

export const ownersPatch: fc.Arbitrary<OwnersPatch> = fc.record({
  owners: fc.array(owner, { maxLength: 4 }),
  preserveOtherOwners: fc.boolean(),
});

/**
 * Computes the owners after a change independently of the product code; undefined if the change must be rejected.
 * `mint` returns the uniqueId of a new owner.
 */
export function modelAfter(
  { owners, nextId }: ModelState,
  patch: OwnersPatch,
  mint: (id: number) => string,
): ModelState | undefined {
  const next = owners.map((one) => ({ ...one, touched: false }));
  let id = nextId;
  for (const sent of patch.owners) {
    const candidates = next.filter((one) =>
      sent.uniqueId === undefined ? one.id === sent.id : one.uniqueId === sent.uniqueId,
    );
    let [target] = candidates;
    if (sent.uniqueId === undefined && sent.id !== undefined && !target) return undefined;
    const owns = owners.some((one) => one.id === sent.id);
    if (sent.uniqueId !== undefined && owns && target?.id !== sent.id) return undefined;
    if (sent.uniqueId === undefined && sent.id !== undefined && !owns) return undefined;
    if (target?.touched) return undefined;
    if (!target) {
      target = { id, uniqueId: sent.uniqueId ?? mint(id), touched: false };
      id += 1;
      next.push(target);
    }
    target.touched = true;
    for (const field of fields) {
      const text = sent[field];
      if (text === undefined) continue;
      if (text === null || text === '') delete target[field];
      else if (text !== 'REDACTED' || field === 'name') target[field] = text;
      else if (target[field] === undefined) return undefined;
    }
  }
  const kept = next.filter(({ touched }) => touched || patch.preserveOtherOwners);
  return { owners: kept.map(({ touched, ...one }) => one), nextId: id };
}
