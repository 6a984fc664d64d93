import { isSupportedCountry } from 'libphonenumber-js/min';
import { invalid } from '../errors.ts';
import type { Static } from '../schema.ts';
import { checkBusinessHours, checkTargetsReachable } from '../sla/check-hours.ts';
import { type Authored, revise, sameValue } from '../table/revise.ts';
import { policyOf } from './policy-of.ts';
import type { AccountPatch, StoredAccount } from './schema.ts';

/** Applies a PATCH. A new SLA policy gets the new account version as its number. Throws `invalid_input`. */
export function changeAccount(
  before: StoredAccount,
  body: Static<typeof AccountPatch>,
  authored: Authored,
): StoredAccount {
  checkTimezone(body.timezone);
  if (body.country && !isSupportedCountry(body.country))
    throw invalid('country', 'must be an ISO 3166-1 code in capital letters, such as US');
  if (body.businessHours) checkBusinessHours(body.businessHours);
  const after = revise(before, body, authored);
  const [was, is] = [policyOf(before), policyOf(after)];
  if (sameValue(was, is)) return after;
  checkTargetsReachable(is, body.slaTargets ? 'slaTargets' : 'businessHours');
  return { ...after, slaPolicyVersion: after.version };
}

function checkTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return;
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw invalid('timezone', 'must be an IANA time zone, such as America/New_York');
  }
}
