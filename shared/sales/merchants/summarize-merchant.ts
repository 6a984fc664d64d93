import { cutText } from '../../table/cut-text.ts';
import type { Merchant } from './schema.ts';
import { showMerchant } from './show-merchant.ts';
import type { StoredMerchant } from './stored-merchant.ts';

type TextField = {
  [K in keyof Merchant]-?: NonNullable<Merchant[K]> extends string ? K : never;
}[keyof Merchant];

/**
 * Returns the summary for lists, filters and searches. Truncates long texts by their size in JSON, so that a summary
 * has at most 2 KB.
 */
export function summarizeMerchant(merchant: StoredMerchant): Merchant {
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
  };
}
