import { type Account, defaultCountry } from '../../accounts/schema.ts';
import type { AccountId } from '../../id/account-id.ts';
import { foldWords } from '../../search/fold-text.ts';
import { internationalDigits } from '../../search/phone-digits.ts';
import { searchWordsOf } from '../../search/search-words.ts';
import type { IndexQuery } from '../../table/read-index.ts';
import { leads } from '../leads/store.ts';

/** The most duplicates that a lead names. */
const mostDuplicates = 20;

interface Contact {
  email?: string | null;
  phone?: string | null;
}

/**
 * Finds the leads with the same email or telephone number, newest first. Numbers without a country code are numbers of the
 * account's country. Reads the search index, which contains a new lead after a short time.
 */
export async function findDuplicateLeads(
  account: AccountId,
  contact: Contact,
  { country = defaultCountry }: Pick<Account, 'country'>,
): Promise<number[]> {
  const { index } = leads.listOf(account);
  const sent = comparable(contact, country);
  const queries: IndexQuery[] = [
    ...(sent.email ? [{ words: [], filters: [{ field: 'email', values: [sent.email] }] }] : []),
    ...(sent.phone ? [{ words: searchWordsOf(`+${sent.phone}`, country), filters: [] }] : []),
  ];
  if (!index || queries.length === 0) return [];
  const found = await Promise.all(queries.map((query) => index.read(query, { limit: mostDuplicates })));
  const ids = found.flatMap((candidates) => candidates?.found.map(({ id }) => id) ?? []);
  const listed = await index.load([...new Set(ids)]);
  return listed
    .flatMap((one) => (one ? [one.record] : []))
    .filter((lead) => isSame(comparable(lead, country), sent))
    .map(({ id }) => id)
    .sort((one, other) => other - one)
    .slice(0, mostDuplicates);
}

/** Returns the email in lower case, and the digits of the telephone number with the country code. */
const comparable = ({ email, phone }: Contact, country: string) => ({
  email: email ? foldWords(email) : undefined,
  phone: phone ? internationalDigits(phone, country) : undefined,
});

type Comparable = ReturnType<typeof comparable>;

const isSame = (one: Comparable, other: Comparable): boolean =>
  (['email', 'phone'] as const).some((name) => one[name] !== undefined && one[name] === other[name]);
