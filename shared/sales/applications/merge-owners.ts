import { invalid } from '../../errors.ts';
import type { SentTexts } from '../../security/merge-fields.ts';
import { mergeFormFields } from './merge-fields.ts';
import { maxOwners, type OwnerInput } from './schema.ts';
import { ownerPath } from './sensitive-values.ts';
import type { StoredApplication, StoredOwner } from './stored-application.ts';

type Owners = Pick<StoredApplication, 'businessOwners' | 'nextOwnerId'>;

export interface MergeOwners {
  /** Keep owners that the request does not name. Left out: they go. */
  preserveOtherOwners?: boolean;
  /** A uniqueId that no owner of any application ever had. */
  mintUniqueId(): string;
}

/**
 * The owners after a change, in the order in which they were made. One that is sent is matched by uniqueId, else by
 * id; an unknown uniqueId makes an owner that keeps it, and so does none of both make one. Ids count up and are never
 * given twice. Throws for an id that no owner has, for two names of one owner, and for more than 25 owners.
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
      throw invalid(nameOf(uniqueId ? 'uniqueId' : 'id'), 'names an owner again');
    const pathOf = (field: string) => ownerPath(owner.uniqueId, field);
    const merged = mergeFormFields({ ...owner }, fields, { section: 'businessOwners', pathOf, nameOf });
    named.set(owner.uniqueId, { ...merged.fields, id: owner.id, uniqueId: owner.uniqueId });
    for (const [path, plain] of merged.sentTexts) sentTexts.set(path, plain);
  }
  const others = preserveOtherOwners
    ? stored.businessOwners.filter(({ uniqueId }) => !named.has(uniqueId))
    : [];
  const businessOwners = [...others, ...named.values()].sort((one, other) => one.id - other.id);
  if (businessOwners.length > maxOwners)
    throw invalid('businessOwners', `may be at most ${maxOwners} owners together`);
  return { businessOwners, nextOwnerId, sentTexts };
}

function matching(
  owners: readonly StoredOwner[],
  { id, uniqueId }: Pick<OwnerInput, 'id' | 'uniqueId'>,
  nameOf: (field: string) => string,
): StoredOwner | undefined {
  const byId = id === undefined ? undefined : owners.find((owner) => owner.id === id);
  if (uniqueId === undefined) {
    if (id !== undefined && !byId) throw invalid(nameOf('id'), 'is the id of no owner of this application');
    return byId;
  }
  const byUniqueId = owners.find((owner) => owner.uniqueId === uniqueId);
  if (byId && byId !== byUniqueId) throw invalid(nameOf('id'), 'is the id of another owner than uniqueId');
  return byUniqueId;
}
