import type { EventDraft } from '../../events/envelope.ts';
import { type AuthenticatedPrincipal, subjectOf } from '../../security/principal.ts';

/** The event of a logout: of the one session behind a token, or of all that the principal has. */
export const loggedOut = (principal: AuthenticatedPrincipal, sessions: 'one' | 'all'): EventDraft[] => [
  { kind: 'user_logged_out', account: principal.log, subject: subjectOf(principal), data: { sessions } },
];
