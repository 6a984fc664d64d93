import { invalid } from '../../errors.ts';
import type { AccountId } from '../../id/account-id.ts';
import type { ReachedType } from '../../resources/registry.ts';
import { parseApplicationId } from '../../sales/applications/record/application-id.ts';
import { applications } from '../../sales/applications/store.ts';
import { leads } from '../../sales/leads/store.ts';
import { shownMids } from '../../sales/merchants/shown-mids.ts';
import { merchants } from '../../sales/merchants/store.ts';
import { mids } from '../../sales/mids/store.ts';
import type { SignedIn } from '../../security/principal.ts';
import { hides, holdsPartOf } from '../../security/reach.ts';
import type { RequesterRecord, TicketLinks } from './find-requester.ts';
import type { TicketInput } from './schema.ts';

/** The links that a request can send, in the order of validation. */
const sendable = ['merchantId', 'leadId', 'applicationId', 'midId'] as const;

type SentLinks = Pick<TicketInput, (typeof sendable)[number]>;

export interface LinkedRecords {
  merchantId?: { id: number; merchantName: string };
  leadId?: { id: number };
  applicationId?: { id: string };
  midId?: { id: number; merchantId: number };
}

export async function findLinked(account: AccountId, sent: SentLinks): Promise<LinkedRecords> {
  const { merchantId, leadId, applicationId, midId } = sent;
  const application = applicationId === undefined ? undefined : parseApplicationId(applicationId);
  const [merchant, lead, found, mid] = await Promise.all([
    merchantId === undefined ? undefined : merchants.find(account, merchantId),
    leadId === undefined ? undefined : leads.find(account, leadId),
    application === undefined ? undefined : applications.find(account, application),
    midId === undefined ? undefined : mids.find(account, midId),
  ]);
  return { merchantId: merchant, leadId: lead, applicationId: found, midId: mid };
}

/** Returns the records without those that are hidden from the caller. Reads as much for a hidden MID as for an unknown one. */
export async function linkedFor(
  principal: SignedIn,
  account: AccountId,
  sent: SentLinks,
  linked: LinkedRecords,
): Promise<LinkedRecords> {
  const shown = <R extends object>(type: ReachedType, record: R | undefined): R | undefined =>
    record && !hides(principal, type, record) ? record : undefined;
  const { merchantId, leadId, applicationId, midId } = linked;
  const found = midId ? [midId] : [];
  const [mid] = await shownMids(principal, account, found, sent.midId === undefined ? 0 : 1);
  return {
    merchantId: shown('merchant', merchantId),
    leadId: shown('lead', leadId),
    applicationId: shown('application', applicationId),
    midId: mid,
  };
}

/**
 * Builds the links of a new ticket from the requester and the request body. The name of a merchant, and the merchant of
 * a MID, are copied only if the caller may read merchants. Throws a 400 error for the first link whose record does not
 * exist or that contradicts the requester.
 */
export function linksOf(
  sent: SentLinks,
  linked: LinkedRecords,
  source: Pick<RequesterRecord, 'links' | 'copied'> | undefined,
  principal: SignedIn,
): TicketLinks {
  const { merchantId: copiedId, merchantName } = source?.copied ?? {};
  const links: TicketLinks = { merchantId: copiedId, ...source?.links };
  for (const field of sendable) {
    if (sent[field] === undefined) continue;
    if (!linked[field]) throw invalid(field, `no ${nounOf[field]} with this id in this account`);
    if (links[field] !== undefined && links[field] !== sent[field])
      throw invalid(field, 'does not match the requester');
  }
  const { merchantId, leadId, applicationId, midId } = sent;
  const readsMerchants = holdsPartOf(principal, 'readMerchants');
  const both = {
    merchantId: (readsMerchants ? links : source?.links)?.merchantId ?? merchantId,
    merchantName: readsMerchants ? (merchantName ?? linked.merchantId?.merchantName) : undefined,
    leadId: links.leadId ?? leadId,
    applicationId: links.applicationId ?? applicationId,
    midId: links.midId ?? midId,
  };
  const owner = linked.midId?.merchantId;
  if (owner !== undefined && both.merchantId !== undefined && owner !== both.merchantId)
    throw invalid('midId', 'belongs to another merchant');
  return both;
}

const nounOf = { merchantId: 'merchant', leadId: 'lead', applicationId: 'application', midId: 'MID' };
