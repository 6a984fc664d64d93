import { cutText } from '../../table/cut-text.ts';
import type { Merchant } from './schema.ts';
import { showMerchant } from './show-merchant.ts';
import type { StoredMerchant } from './stored-merchant.ts';

/**
 * What lists show of a merchant, and are filtered and searched by: its own fields, long texts cut by what they take as
 * JSON, so that all of it is at most 2 KB.
 */
export function summaryOf(merchant: StoredMerchant): Merchant {
  const own = showMerchant(merchant);
  const cut = (field: CutField, bytes: number) =>
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

type CutField =
  | 'merchantName'
  | 'dba'
  | 'legalName'
  | 'mccDescription'
  | 'agentAccountId'
  | 'agentName'
  | 'isoName'
  | 'createdBy'
  | 'updatedBy';
