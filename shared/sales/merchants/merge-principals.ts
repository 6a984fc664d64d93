import { invalid } from '../../errors.ts';
import { mergeFields, type SentTexts } from '../../security/merge-fields.ts';
import { sameValue } from '../../table/revise.ts';
import type { MerchantPatch } from './schema.ts';
import { isSensitiveMerchantField, principalPath } from './sensitive-values.ts';
import { type StoredPrincipal, sensitiveMerchantFields } from './stored-merchant.ts';

type PrincipalInput = NonNullable<MerchantPatch['principals']>[number];

/** The rows of a merchant before a merge. `mintId` returns the id of a new row. */
export interface Rows<R> {
  merchantId: number;
  stored: readonly R[];
  mintId(): number;
}

/**
 * Returns the sent principals in the sent order. A principal with an id is matched by id. A principal without an id is
 * matched by name (`matchByName`), or is new. A matched principal keeps its id. It also keeps each sensitive value that
 * the request omits or sends as `REDACTED`. Throws `invalid_input` for an unknown or repeated id, for an ambiguous
 * name, and if the shares add up to more than 100 percent.
 */
export function mergePrincipals(
  { merchantId, stored, mintId }: Rows<StoredPrincipal>,
  sent: readonly PrincipalInput[],
): { principals: StoredPrincipal[]; sentTexts: SentTexts } {
  const byId = new Map(stored.map((principal) => [principal.id, principal]));
  const named = namedById(sent);
  const unnamed = stored.filter(({ id }) => !named.has(id));
  const matches = matchByName(unnamed, sent);
  const sentTexts = new Map<string, string>();
  const principals = sent.map((input, index): StoredPrincipal => {
    const nameOf = (field: string) => `principals[${index}].${field}`;
    const { id, merchantId: _, ...fields } = input;
    const known = id === undefined ? matches.get(input) : byId.get(id);
    checkIds(input, { id: known?.id, merchantId }, nameOf);
    const own = known?.id ?? mintId();
    const merged = mergeFields(known ? sensitiveOf(known) : {}, fields, {
      isSensitive: isSensitiveMerchantField,
      pathOf: (field) => principalPath(own, field),
      nameOf,
    });
    for (const [path, text] of merged.sentTexts) sentTexts.set(path, text);
    return { ...merged.fields, id: own };
  });
  checkShares(principals);
  return { principals, sentTexts };
}

/** Returns the sent ids. Throws if an id is sent twice. */
function namedById(sent: readonly PrincipalInput[]): ReadonlySet<number> {
  const named = new Set<number>();
  for (const [index, { id }] of sent.entries()) {
    if (id === undefined) continue;
    if (named.has(id)) throw invalid(`principals[${index}].id`, 'is sent for two principals');
    named.add(id);
  }
  return named;
}

/**
 * Matches inputs without an id to stored principals, so that a repeated PUT changes nothing. First looks for a
 * principal with equal fields, then for a principal with the same name. Throws if the merchant has more principals of
 * one name than the request, because the request then does not identify the principals to keep.
 */
function matchByName(
  stored: readonly StoredPrincipal[],
  sent: readonly PrincipalInput[],
): ReadonlyMap<PrincipalInput, StoredPrincipal> {
  const matches = new Map<PrincipalInput, StoredPrincipal>();
  const free = new Set(stored);
  const take = (input: PrincipalInput, fits: (principal: StoredPrincipal) => boolean): void => {
    const match = matches.has(input) ? undefined : [...free].find(fits);
    if (match && free.delete(match)) matches.set(input, match);
  };
  const inputs = sent.filter(({ id }) => id === undefined);
  for (const input of inputs) take(input, (principal) => sameValue(openFields(principal), openFields(input)));
  for (const input of inputs) {
    const name = fullName(input);
    if (name !== undefined) take(input, (principal) => fullName(principal) === name);
  }
  const names = new Set([...free].map(fullName));
  const index = sent.findIndex((input) => input.id === undefined && names.has(fullName(input) ?? ''));
  if (index >= 0)
    throw invalid(
      `principals[${index}].id`,
      'is required, because this merchant has several principals with this name',
    );
  return matches;
}

/** The fields of a principal, without ids and sensitive values. */
const openFields = ({
  id,
  merchantId,
  ...fields
}: Partial<PrincipalInput | StoredPrincipal> & { merchantId?: number }) =>
  Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !isSensitiveMerchantField(name) && value !== null),
  );

/** Returns the first and last name in lower case, or undefined if both are empty. */
function fullName(person: { firstName?: string | null; lastName?: string | null }): string | undefined {
  const [first, last] = [person.firstName, person.lastName].map((name) => (name ?? '').trim().toLowerCase());
  return first || last ? `${first}\n${last}` : undefined;
}

const sensitiveOf = (principal: StoredPrincipal): Partial<StoredPrincipal> =>
  Object.fromEntries(
    sensitiveMerchantFields.principals.flatMap((field) =>
      principal[field] === undefined ? [] : [[field, principal[field]]],
    ),
  );

function checkShares(principals: readonly StoredPrincipal[]): void {
  const total = principals.reduce((sum, { equityOwnership = 0 }) => sum + equityOwnership, 0);
  if (total > 100)
    throw invalid('principals', `must have at most 100 percent equityOwnership in total, not ${total}`);
}

/** Throws if a sent id differs from the stored id. A request may contain these ids, but not change them. */
export function checkIds(
  sent: { id?: number; merchantId?: number },
  own: { id?: number; merchantId: number },
  nameOf: (field: string) => string,
): void {
  if (sent.merchantId !== undefined && sent.merchantId !== own.merchantId)
    throw invalid(nameOf('merchantId'), 'is the id of another merchant');
  if (sent.id !== undefined && sent.id !== own.id)
    throw invalid(nameOf('id'), 'does not match a stored id of this merchant');
}
