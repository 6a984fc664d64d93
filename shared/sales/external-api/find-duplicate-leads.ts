import { phoneIn } from '../../formats.ts';
import type { AccountId } from '../../id/account-id.ts';
import { foldWords } from '../../search/fold-text.ts';
import { phoneTermsOf, searchWordsOf } from '../../search/search-words.ts';
import type { IndexQuery } from '../../table/read-index.ts';
import { leads } from '../leads/store.ts';

/** The most duplicates that a lead names. */
const mostDuplicates = 20;

interface Contact {
  email?: string | null;
  phone?: string | null;
}

/**
 * Finds the leads with the same email or telephone number, newest first. Reads the search index, which contains a new
 * lead after a short time.
 */
export async function findDuplicateLeads(account: AccountId, contact: Contact): Promise<number[]> {
  const { index } = leads.listOf(account);
  const sent = comparable(contact);
  const queries: IndexQuery[] = [
    ...(sent.email ? [{ words: [], filters: [{ field: 'email', values: [sent.email] }] }] : []),
    ...(sent.phone ? [{ words: searchWordsOf(sent.phone), filters: [] }] : []),
  ];
  if (!index || queries.length === 0) return [];
  const found = await Promise.all(queries.map((query) => index.read(query, { limit: mostDuplicates })));
  const ids = found.flatMap((candidates) => candidates?.found.map(({ id }) => id) ?? []);
  const listed = await index.load([...new Set(ids)]);
  return listed
    .flatMap((one) => (one ? [one.record] : []))
    .filter((lead) => isSame(comparable(lead), sent))
    .map(({ id }) => id)
    .sort((one, other) => other - one)
    .slice(0, mostDuplicates);
}

/** Returns the email in lower case, and the digits of the telephone number without the country code. */
const comparable = ({ email, phone }: Contact) => ({
  email: email ? foldWords(email) : undefined,
  phone: phoneTermsOf(phoneIn(phone ?? '') ?? '')
    .filter((term) => /^\d+$/.test(term))
    .at(-1),
});

type Comparable = ReturnType<typeof comparable>;

const isSame = (one: Comparable, other: Comparable): boolean =>
  (['email', 'phone'] as const).some((name) => one[name] !== undefined && one[name] === other[name]);
