import { isSupportedCountry } from 'libphonenumber-js/min';
import { invalid } from '../errors.ts';
import { isRegionalZone } from '../instant.ts';
import type { Static } from '../schema.ts';
import type { SignedIn } from '../security/principal.ts';
import { configuredParty } from '../security/relying-party.ts';
import { checkBusinessHours, checkTargetsReachable } from '../sla/check-hours.ts';
import { type Authored, type Revision, revise, sameValue } from '../table/revise.ts';
import { accountPolicy } from './policy-of.ts';
import { isPortalAddress } from './portal.ts';
import { requireFactor } from './require-factor.ts';
import type { AccountPatch, StoredAccount } from './schema.ts';

/** The settings that decide what people may do. Their change needs a fresh proof. */
export const settingsOfRights = [
  'mfa',
  'proofNeedsFactor',
  'impersonationForbidden',
  'rulesNeedTwoPeople',
  'residualsNeedTwoPeople',
] as const;

/**
 * Applies a PATCH. A new SLA policy gets the new account version as its number. Throws `invalid_input`, and `factor_required`
 * and `passkey_required` if a session by single sign-on sets a policy that it does not meet, because it cannot add a factor.
 */
export function changeAccount(
  before: StoredAccount,
  body: Static<typeof AccountPatch>,
  authored: Authored & { principal: SignedIn },
): StoredAccount {
  checkTimezone(body.timezone);
  if (body.country && !isSupportedCountry(body.country))
    throw invalid('country', 'must be an ISO 3166-1 code in capital letters, such as US');
  checkPortalUrl(body.portalUrl);
  if (body.businessHours) checkBusinessHours(body.businessHours);
  const after = revise(
    before,
    {
      ...body,
      ...endOfTwoPeople('rulesNeedTwoPeople', before, body, authored),
      ...endOfTwoPeople('residualsNeedTwoPeople', before, body, authored),
      ...startOfMfa(before, body, authored),
    },
    authored,
  );
  if (body.mfa && authored.principal.signedOnTo) requireFactor(after, authored.principal, authored.now);
  const [was, is] = [accountPolicy(before), accountPolicy(after)];
  if (sameValue(was, is)) return after;
  checkTargetsReachable(is, body.slaTargets ? 'slaTargets' : 'businessHours');
  return { ...after, slaPolicyVersion: after.version };
}

/** For each rule that needs two people: the field with the administrator who asked for its end. */
const endRequests = {
  rulesNeedTwoPeople: 'rulesNeedTwoPeopleEndRequestedBy',
  residualsNeedTwoPeople: 'residualsNeedTwoPeopleEndRequestedBy',
} as const;

/**
 * Returns the change of a rule that something needs two people. One administrator alone could otherwise switch it off, act
 * alone, and switch it on again.
 */
function endOfTwoPeople(
  rule: keyof typeof endRequests,
  before: StoredAccount,
  { [rule]: wanted }: Static<typeof AccountPatch>,
  { principal }: Authored,
): Revision<StoredAccount> {
  if (wanted === undefined) return {};
  const requestedBy = before[endRequests[rule]];
  const by = principal.actor.user;
  const isFirst = requestedBy === undefined || requestedBy === by;
  if (!wanted && before[rule] && isFirst) return { [rule]: true, [endRequests[rule]]: by };
  return { [endRequests[rule]]: null };
}

/**
 * Returns when a new policy about second factors takes effect. Days of grace do not suspend what has taken effect: with a
 * stronger policy, the weaker one remains in effect until then. Throws `invalid_input` for `phishingResistant` if the stage
 * has no passkeys, or if the account enforces single sign-on, because nobody could then use the account.
 */
function startOfMfa(
  { mfa: known, mfaEnforcedFrom, passkeysEnforcedFrom, signOnDomains }: StoredAccount,
  { mfa }: Static<typeof AccountPatch>,
  { now }: Authored,
): Revision<StoredAccount> {
  if (mfa === undefined || sameValue(mfa, known)) return {};
  const { policy, graceDays = 0 } = mfa;
  const needsPasskey = policy === 'phishingResistant';
  if (needsPasskey && !configuredParty())
    throw invalid('mfa.policy', 'needs passkeys, which this service does not have');
  if (needsPasskey && signOnDomains)
    throw invalid(
      'mfa.policy',
      'must not be phishingResistant while a connection has `enforced`, because a session by single sign-on proves no passkey',
    );
  const start = new Date(now.getTime() + graceDays * 86_400_000).toISOString();
  const from = (earlier: string | undefined) =>
    earlier !== undefined && Date.parse(earlier) <= now.getTime() ? earlier : start;
  return {
    mfaEnforcedFrom: policy === 'off' ? null : from(mfaEnforcedFrom),
    passkeysEnforcedFrom: needsPasskey ? from(passkeysEnforcedFrom) : null,
  };
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
