import { invalid } from '../../../errors.ts';
import { type Fields, mergeFields, type SentTexts } from '../../../security/merge-fields.ts';
import { maxOwners, type OwnerInput } from '../record/schema.ts';
import { isSensitiveFormField, ownerPath } from '../record/sensitive-values.ts';
import type { StoredApplication, StoredOwner } from '../record/stored-application.ts';

type Owners = Pick<StoredApplication, 'businessOwners' | 'nextOwnerId'>;

export interface MergeOwners {
  /** If true, owners that are not in the request are kept. By default, they are removed. */
  preserveOtherOwners?: boolean;
  /** Returns a new uniqueId. */
  mintUniqueId(): string;
}

/**
 * Returns the owners after a change, in order of creation. A sent owner is matched by uniqueId, else by id.
 * An owner with an unknown uniqueId, or without uniqueId and id, is new. Ids are sequential and never reused.
 * Throws for an unknown id without uniqueId, for an id that belongs to another owner than the uniqueId, for a
 * repeated owner, and for more than 25 owners.
 */
export function mergeOwners(
  stored: Owners,
  sent: readonly OwnerInput[],
  { preserveOtherOwners = false, mintUniqueId }: MergeOwners,
): Owners & { sentTexts: SentTexts } {
  let { nextOwnerId } = stored;
  const named = new Map<string, StoredOwner>();
  const sentTexts = new Map<string, string>();
  for (const [index, { id, uniqueId, ...fields }] of sent.entries()) {
    const nameOf = (field: string) => `businessOwners[${index}].${field}`;
    const known = matching(stored.businessOwners, { id, uniqueId }, nameOf);
    const owner = known ?? { id: nextOwnerId++, uniqueId: uniqueId ?? mintUniqueId() };
    if (named.has(owner.uniqueId))
      throw invalid(nameOf(uniqueId ? 'uniqueId' : 'id'), 'is sent for two owners');
    const pathOf = (field: string) => ownerPath(owner.uniqueId, field);
    const merged = mergeFields({ ...owner }, blanksCleared(fields), {
      isSensitive: isOwnerSecret,
      pathOf,
      nameOf,
    });
    named.set(owner.uniqueId, { ...merged.fields, id: owner.id, uniqueId: owner.uniqueId });
    for (const [path, plain] of merged.sentTexts) sentTexts.set(path, plain);
  }
  const others = preserveOtherOwners
    ? stored.businessOwners.filter(({ uniqueId }) => !named.has(uniqueId))
    : [];
  const businessOwners = [...others, ...named.values()].sort((one, other) => one.id - other.id);
  if (businessOwners.length > maxOwners)
    throw invalid('businessOwners', `must have at most ${maxOwners} owners, including the kept owners`);
  return { businessOwners, nextOwnerId, sentTexts };
}

function matching(
  owners: readonly StoredOwner[],
  { id, uniqueId }: Pick<OwnerInput, 'id' | 'uniqueId'>,
  nameOf: (field: string) => string,
): StoredOwner | undefined {
  const byId = id === undefined ? undefined : owners.find((owner) => owner.id === id);
  if (uniqueId === undefined) {
    if (id !== undefined && !byId)
      throw invalid(nameOf('id'), 'is not the id of an owner of this application');
    return byId;
  }
  const byUniqueId = owners.find((owner) => owner.uniqueId === uniqueId);
  if (byId && byId !== byUniqueId)
    throw invalid(nameOf('id'), 'is the id of a different owner than uniqueId');
  return byUniqueId;
}

const isOwnerSecret = (field: string): boolean => isSensitiveFormField('businessOwners', field);

/** Replaces blank text with null, because web forms send an empty text for an empty field. */
export const blanksCleared = (sent: Fields): Fields =>
  Object.fromEntries(Object.entries(sent).map(([field, value]) => [field, isBlank(value) ? null : value]));

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
