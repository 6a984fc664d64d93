import { invalid } from '../errors.ts';
import { mergeFields, type SentTexts } from '../security/merge-fields.ts';
import { checkIds } from './check-ids.ts';
import type { Merging } from './merge-merchant.ts';
import type { MerchantPatch } from './schema.ts';
import { sensitiveFields } from './sensitive-fields.ts';
import { isSensitive, principalPath } from './sensitive-values.ts';
import type { StoredPrincipal } from './stored-merchant.ts';

export type PrincipalInput = NonNullable<MerchantPatch['principals']>[number];

/** What a list of rows is merged into, and where the ids of new rows come from. */
export interface Rows<R> {
  merchantId: number;
  stored: readonly R[];
  mintId(): number;
}

/**
 * The principals after a change: those that were sent, in that order. One is matched by id, else by first and last name,
 * with one whom no id names; it keeps its id, and each sensitive value that is not sent or `REDACTED`. Throws
 * `invalid_input` for an unknown id, for one named twice, for two of one name without ids, and for shares of more than
 * 100 together.
 */
export function mergePrincipals(
  { merchantId, stored, mintId, namesakes = false }: Rows<StoredPrincipal> & Pick<Merging, 'namesakes'>,
  sent: readonly PrincipalInput[],
): { principals: StoredPrincipal[]; sentTexts: SentTexts } {
  const byId = new Map(stored.map((principal) => [principal.id, principal]));
  const named = namedById(sent);
  const unnamed = stored.filter(({ id }) => !named.has(id));
  const sentTexts = new Map<string, string>();
  const names = new Set<string>();
  const principals = sent.map((input, index): StoredPrincipal => {
    const nameOf = (field: string) => `principals[${index}].${field}`;
    const { id, merchantId: _, ...fields } = input;
    const name = fullName(input);
    if (id === undefined && name !== undefined && !namesakes) {
      if (names.has(name))
        throw invalid(nameOf('id'), 'is needed: two principals without one have this name');
      names.add(name);
    }
    const known = id === undefined ? soleOf(unnamed, name, nameOf) : byId.get(id);
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

/** The principal of a name; undefined where there is none. Throws where there are two. */
function soleOf(
  principals: readonly StoredPrincipal[],
  name: string | undefined,
  nameOf: (field: string) => string,
): StoredPrincipal | undefined {
  const [one, another] = name === undefined ? [] : principals.filter((each) => fullName(each) === name);
  if (another) throw invalid(nameOf('id'), 'is needed: this merchant has two principals of this name');
  return one;
}

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
