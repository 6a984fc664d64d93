import type { AccountId } from '../id/account-id.ts';

/** For how long a proof lets a list be read before the next one. */
const trustedMilliseconds = 60_000;
const mostProofs = 10_000;

/** When a session was last proved for an account, by both. In this instance only, and lost without harm. */
const proofs = new Map<string, number>();

const nameOf = (sessionId: string, account: AccountId): string => `${sessionId} ${account}`;

/** Remembers that a session has just let its holder into an account. */
export function rememberProof(sessionId: string, account: AccountId, now: Date): void {
  if (proofs.size >= mostProofs) proofs.clear();
  proofs.set(nameOf(sessionId, account), now.getTime());
}

/** Forgets what was proved before: the session has ended. */
export function forgetProof(sessionId: string, account: AccountId): void {
  proofs.delete(nameOf(sessionId, account));
}

/** Whether this instance saw the session let its holder into the account within the last minute. */
export function wasProved(sessionId: string, account: AccountId, now: Date): boolean {
  const at = proofs.get(nameOf(sessionId, account));
  return at !== undefined && now.getTime() - at < trustedMilliseconds;
}
