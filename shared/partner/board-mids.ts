import type { Effects } from '../events/envelope.ts';
import type { StoredApplication } from '../sales/applications/record/stored-application.ts';
import { merchants } from '../sales/merchants/store.ts';
import { midCreated } from '../sales/mids/events.ts';
import { maxMids } from '../sales/mids/schema.ts';
import { mids } from '../sales/mids/store.ts';
import { newRecord } from '../table/record-fields.ts';
import { authoredBy } from '../table/revise.ts';
import { partnerActor } from './change-application.ts';
import { integrationErrorDraft } from './integration-error.ts';

interface Boarded extends Effects {
  /** The numbers that the merchant has after the change. */
  mids: string[];
}

/**
 * Returns the writes that create the MIDs of a boarded merchant. The merchant’s existing MIDs are kept. If a MID cannot
 * be created, an event reports the reason, and the status changes nevertheless.
 */
export async function boardMids(
  { accountId: account, id: applicationId, admin }: StoredApplication,
  numbers: readonly string[],
  now: Date,
): Promise<Boarded> {
  const refuse = (reason: string): Boarded => ({
    mids: [],
    writes: [],
    events: [integrationErrorDraft(account, { operation: 'boarding', reason, applicationId })],
  });
  const { merchantId } = admin;
  if (merchantId === undefined || !(await merchants.find(account, merchantId)))
    return refuse('The merchant of the boarded application does not exist.');
  const distinct = [...new Map(numbers.map((number) => [number.toUpperCase(), number])).values()];
  const owners = await mids.ownersOf(account, distinct);
  const taken = [...owners].flatMap(([owner, held]) => (owner === merchantId ? [] : held));
  if (taken.length > 0) return refuse(`Another merchant has the MID ${taken.join(', ')}.`);
  const own = new Set(owners.get(merchantId));
  const missing = distinct.filter((number) => !own.has(number.toUpperCase()));
  if ((await mids.listIn(account, merchantId).total()) + missing.length > maxMids)
    return refuse(`The merchant would have more than ${maxMids} MIDs.`);
  const author = { ...authoredBy(partnerActor.user, now), account };
  const created = missing.map((mid) => ({
    ...newRecord(author),
    mid,
    merchantId,
    status: 'active' as const,
  }));
  return {
    mids: distinct,
    writes: [
      ...(created.length > 0 ? [merchants.requireExists(account, merchantId)] : []),
      ...created.flatMap((mid) => mids.insert(mid)),
    ],
    events: created.flatMap(midCreated),
  };
}
