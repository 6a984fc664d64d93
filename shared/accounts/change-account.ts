import { isSupportedCountry } from 'libphonenumber-js/min';
import { invalid } from '../errors.ts';
import { isRegionalZone } from '../instant.ts';
import type { Static } from '../schema.ts';
import { checkBusinessHours, checkTargetsReachable } from '../sla/check-hours.ts';
import { type Authored, type Revision, revise, sameValue } from '../table/revise.ts';
import { accountPolicy } from './policy-of.ts';
import { isPortalAddress } from './portal.ts';
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
  checkPortalUrl(body.portalUrl);
  if (body.businessHours) checkBusinessHours(body.businessHours);
  const after = revise(
    before,
    { ...body, ...endOfTwoPeople(before, body, authored), ...startOfMfa(before, body, authored) },
    authored,
  );
  const [was, is] = [accountPolicy(before), accountPolicy(after)];
  if (sameValue(was, is)) return after;
  checkTargetsReachable(is, body.slaTargets ? 'slaTargets' : 'businessHours');
  return { ...after, slaPolicyVersion: after.version };
}

/**
 * Returns the change of the rule that underwriting rules need two people. One administrator alone could otherwise switch it
 * off, make an own rule live, and switch it on again.
 */
function endOfTwoPeople(
  { rulesNeedTwoPeople, rulesNeedTwoPeopleEndRequestedBy: requestedBy }: StoredAccount,
  { rulesNeedTwoPeople: wanted }: Static<typeof AccountPatch>,
  { principal }: Authored,
): Revision<StoredAccount> {
  if (wanted === undefined) return {};
  const by = principal.actor.user;
  const isFirst = requestedBy === undefined || requestedBy === by;
  if (!wanted && rulesNeedTwoPeople && isFirst)
    return { rulesNeedTwoPeople: true, rulesNeedTwoPeopleEndRequestedBy: by };
  return { rulesNeedTwoPeopleEndRequestedBy: null };
}

/** Returns when a new policy about second factors takes effect. Days of grace do not suspend a policy that has taken effect. */
function startOfMfa(
  { mfa: known, mfaEnforcedFrom }: StoredAccount,
  { mfa }: Static<typeof AccountPatch>,
  { now }: Authored,
): Revision<StoredAccount> {
  if (mfa === undefined || sameValue(mfa, known)) return {};
  if (mfa.policy === 'off') return { mfaEnforcedFrom: null };
  if (mfaEnforcedFrom !== undefined && Date.parse(mfaEnforcedFrom) <= now.getTime()) return {};
  const from = new Date(now.getTime() + (mfa.graceDays ?? 0) * 86_400_000);
  return { mfaEnforcedFrom: from.toISOString() };
}

/** Links append a path to the address of the portal. */
function checkPortalUrl(portalUrl: string | null | undefined): void {
  if (!portalUrl) return;
  if (/[?#]/.test(portalUrl))
    throw invalid('portalUrl', 'must not contain a query or a fragment, because links append a path');
  if (!isPortalAddress(portalUrl))
    throw invalid('portalUrl', 'must have a host that can exist, such as portal.example.com');
}

function checkTimezone(timezone: string | undefined): void {
  if (timezone === undefined) return;
  if (!isRegionalZone(timezone))
    throw invalid('timezone', 'must be UTC or an IANA time zone of a region, such as America/New_York');
}
