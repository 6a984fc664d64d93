import { invalid } from '../../errors.ts';
import { mergeFields, type SentTexts } from '../../security/merge-fields.ts';
import { sameValue } from '../../table/revise.ts';
import { checkIds } from './check-ids.ts';
import type { MerchantPatch } from './schema.ts';
import { isSensitive, principalPath } from './sensitive-values.ts';
import { type StoredPrincipal, sensitiveFields } from './stored-merchant.ts';

type PrincipalInput = NonNullable<MerchantPatch['principals']>[number];

/** What a list of rows is merged into, and where the ids of new rows come from. */
export interface Rows<R> {
  merchantId: number;
  stored: readonly R[];
  mintId(): number;
}

/**
 * The principals after a change: those that were sent, in that order. One with an id is the stored principal with that id.
 * One without an id is a stored principal of the same first and last name that no id names (`matchByName`), else a new one.
 * A known principal keeps its id, and each sensitive value that is not sent or `REDACTED`. Throws `invalid_input` for an
 * unknown id, for an id that is sent twice, for fewer principals of one name than are stored, and for shares of more than
 * 100 together.
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
      isSensitive,
      pathOf: (field) => principalPath(own, field),
      nameOf,
    });
    for (const [path, text] of merged.sentTexts) sentTexts.set(path, text);
    return { ...merged.fields, id: own };
  });
  checkShares(principals);
  return { principals, sentTexts };
}

/** The ids that were sent. Throws where one is there twice. */
function namedById(sent: readonly PrincipalInput[]): ReadonlySet<number> {
  const named = new Set<number>();
  for (const [index, { id }] of sent.entries()) {
    if (id === undefined) continue;
    if (named.has(id)) throw invalid(`principals[${index}].id`, 'names a principal again');
    named.add(id);
  }
  return named;
}

/**
 * The stored principal for each input without an id. Inputs of one name are matched first with a stored principal whose
 * other fields are the same, then in order, so that a repeated PUT changes nothing. Inputs without a name are matched only
 * in the first way. Throws where more principals of a name are stored than are sent: it is unknown which ones to keep.
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
    throw invalid(`principals[${index}].id`, 'is needed: this merchant has more principals of this name');
  return matches;
}

/** The fields of a principal that are neither an id nor sensitive. */
const openFields = ({
  id,
  merchantId,
  ...fields
}: Partial<PrincipalInput | StoredPrincipal> & { merchantId?: number }) =>
  Object.fromEntries(Object.entries(fields).filter(([name, value]) => !isSensitive(name) && value !== null));

/** First and last name however they are capitalised; undefined for somebody who has neither. */
function fullName(person: { firstName?: string | null; lastName?: string | null }): string | undefined {
  const [first, last] = [person.firstName, person.lastName].map((name) => (name ?? '').trim().toLowerCase());
  return first || last ? `${first}\n${last}` : undefined;
}

const sensitiveOf = (principal: StoredPrincipal): Partial<StoredPrincipal> =>
  Object.fromEntries(
    sensitiveFields.principals.flatMap((field) =>
      principal[field] === undefined ? [] : [[field, principal[field]]],
    ),
  );

function checkShares(principals: readonly StoredPrincipal[]): void {
  const together = principals.reduce((sum, { equityOwnership = 0 }) => sum + equityOwnership, 0);
  if (together > 100)
    throw invalid('principals', `have ${together} percent together, and at most 100 are there`);
}
