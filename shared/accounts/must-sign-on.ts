import type { SignedIn } from '../security/principal.ts';
import type { StoredAccount } from './schema.ts';

/** Returns the part of an email address after the @. */
export const domainOfEmail = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

/**
 * Reports whether an account enforces single sign-on for a caller whose session began without it. API keys are not affected.
 * An impersonation ends if the administrator would have to sign on.
 */
export const mustSignOn = (
  { signOnDomains = [] }: Pick<StoredAccount, 'signOnDomains'>,
  {
    kind,
    actor,
    signedOnTo,
    impersonation,
  }: Pick<SignedIn, 'kind' | 'actor' | 'signedOnTo' | 'impersonation'>,
): boolean =>
  kind === 'user' && !signedOnTo && !impersonation && signOnDomains.includes(domainOfEmail(actor.user));
