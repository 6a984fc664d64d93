import { cutText } from '../../table/cut-text.ts';
import type { Merchant } from './schema.ts';
import { showMerchant } from './show-merchant.ts';
import type { StoredMerchant } from './stored-merchant.ts';

type TextField = {
  [K in keyof Merchant]-?: NonNullable<Merchant[K]> extends string ? K : never;
}[keyof Merchant];

/** A merchant in lists, with the texts of its rows by which searches find it. Responses do not contain these texts. */
export interface MerchantSummary extends Merchant {
  principalNames: string[];
  principalEmails: string[];
  principalPhones: string[];
  cities: string[];
  /** The numbers of MIDs that a search names; see `searchedMerchants`. */
  midNumbers?: string[];
}

/** The most bytes of a summary. */
export const largestMerchantSummary = 4096;

/**
 * Returns the summary for lists, filters and searches. Truncates long texts by their size in JSON, and omits texts of
 * later rows, so that a summary has at most 4 KB.
 */
export function summarizeMerchant(merchant: StoredMerchant): MerchantSummary {
  const { principals, addresses } = merchant;
  const own = showMerchant(merchant);
  const cut = (field: TextField, bytes: number) =>
    own[field] === undefined ? {} : { [field]: cutText(own[field], bytes) };
  return {
    ...own,
    ...cut('merchantName', 160),
    ...cut('dba', 120),
    ...cut('legalName', 120),
    ...cut('mccDescription', 80),
    ...cut('agentAccountId', 64),
    ...cut('agentName', 80),
    ...cut('isoName', 80),
    ...cut('createdBy', 120),
    ...cut('updatedBy', 120),
    principalNames: firstTexts(
      principals.map(({ firstName = '', lastName = '' }) => `${firstName} ${lastName}`),
      800,
    ),
    principalEmails: firstTexts(
      principals.map(({ email }) => email),
      600,
    ),
    principalPhones: firstTexts(
      principals.map(({ phone }) => phone),
      200,
    ),
    cities: firstTexts(
      addresses.map(({ city }) => city),
      200,
    ),
  };
}

/**
 * Returns the first texts, which have together at most `bytes` bytes as JSON. Truncates each to 200 bytes. Omits empty and
 * equal texts.
 */
function firstTexts(texts: readonly (string | undefined)[], bytes: number): string[] {
  const kept: string[] = [];
  for (const text of new Set(texts.map((one = '') => cutText(one.trim(), 198))))
    if (text !== '' && Buffer.byteLength(JSON.stringify([...kept, text])) <= bytes) kept.push(text);
  return kept;
}
