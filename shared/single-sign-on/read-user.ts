import { emailIn, normalizeEmail } from '../formats.ts';
import { printable } from '../printable.ts';
import type { ProviderUser, StoredRoleMapping, StoredSsoConnection } from './schema.ts';

/** Claims of an ID token or of userinfo. Each value may have any type. */
export type Claims = Readonly<Record<string, unknown>>;

const [longestSubject, longestSid, longestName] = [255, 255, 200];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reports whether claims contain the address together with the proof of it. */
const containsEmail = ({ email, email_verified, xms_edov }: Claims): boolean =>
  email !== undefined && (email_verified !== undefined || xms_edov !== undefined);

/** Reports whether an ID token contains the address and every mapped claim. Otherwise, userinfo is read. */
export const isComplete = (
  token: Claims,
  { roleMappings }: Pick<StoredSsoConnection, 'roleMappings'>,
): boolean => containsEmail(token) && roleMappings.every(({ claim }) => Object.hasOwn(token, claim));

/**
 * Returns the user in verified claims. `profile` are the claims of userinfo, if it was read. The address and its proof must
 * come from the same claims. `email_verified` must be the boolean true: a text proves nothing. Returns undefined if the
 * subject or the session has an unusable form.
 */
export function readUser(
  token: Claims,
  profile: Claims | undefined,
  { issuer, secondFactor, roleMappings }: StoredSsoConnection,
  provedAt: string | undefined,
): ProviderUser | undefined {
  const subject = textOf(token.sub);
  const sid = textOf(token.sid);
  if (!subject || subject.length > longestSubject || (sid?.length ?? 0) > longestSid) return undefined;
  const email = verifiedEmail(containsEmail(token) ? token : (profile ?? token));
  const name = nameIn(token.name ?? profile?.name);
  return {
    issuer,
    subject,
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(sid && { sid }),
    ...(provedAt !== undefined && { provedAt }),
    secondFactor:
      secondFactor === 'always' || (secondFactor === 'amr' && valuesOf(token.amr).includes('mfa')),
    mappings: roleMappings.flatMap((mapping, n) => (matches(mapping, token, profile) ? [n] : [])),
  };
}

/**
 * Entra never sends `email_verified`, but `xms_edov`: the owner of the address's domain is verified. Entra sends this claim as
 * true or as the text "1".
 */
function verifiedEmail({ email, email_verified: verified, xms_edov: edov }: Claims): string | undefined {
  const isVerified = verified === undefined ? edov === true || edov === '1' : verified === true;
  const address = isVerified ? emailIn(textOf(email)) : undefined;
  return address === undefined ? undefined : normalizeEmail(address);
}

function nameIn(value: unknown): string | undefined {
  const name = textOf(value)?.trim();
  return name && name.length <= longestName && name === printable(name) ? name : undefined;
}

const valuesOf = (claim: unknown): unknown[] => (Array.isArray(claim) ? claim : [claim]);

const matches = ({ claim, value }: StoredRoleMapping, token: Claims, profile: Claims = {}): boolean =>
  [token, profile].some((claims) => Object.hasOwn(claims, claim) && valuesOf(claims[claim]).includes(value));
