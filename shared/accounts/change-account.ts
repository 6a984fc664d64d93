import { invalid } from '../errors.ts';
import type { Static } from '../schema.ts';
import { checkBusinessHours, checkReach } from '../sla/check-hours.ts';
import { type Authored, revise, sameValue } from '../table/revise.ts';
import { policyOf } from './policy-of.ts';
import type { AccountPatch, StoredAccount } from './schema.ts';

/**
 * The account with the fields of a PATCH. Other targets, hours or another zone are a new policy, under the new version.
 * Throws `invalid_input` for a zone, hours or targets that cannot be.
 */
export function changeAccount(
  before: StoredAccount,
  body: Static<typeof AccountPatch>,
  authored: Authored,
): StoredAccount {
  checkTimezone(body.timezone);
  if (body.businessHours) checkBusinessHours(body.businessHours);
  const after = revise(before, body, authored);
  const [was, is] = [policyOf(before), policyOf(after)];
  if (sameValue(was, is)) return after;
  checkReach(is, body.slaTargets ? 'slaTargets' : 'businessHours');
  return { ...after, slaPolicyVersion: after.version };
}

/** Throws `invalid_input` for a time zone that ICU does not know. */
function checkTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalid('timezone', 'must be an IANA time zone, such as America/New_York');
  }
}
