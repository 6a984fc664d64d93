import type { AccountId } from '../id/account-id.ts';

/** How long after a proof a list may be read before the next proof. */
const trustedMilliseconds = 60_000;
const mostProofs = 10_000;

/** When a session was last proved for an account. Per instance; losing an entry only costs time. */
const proofs = new Map<string, number>();

const nameOf = (sessionId: string, account: AccountId): string => `${sessionId} ${account}`;

export function rememberProof(sessionId: string, account: AccountId, now: Date): void {
  if (proofs.size >= mostProofs) proofs.clear();
  proofs.set(nameOf(sessionId, account), now.getTime());
}

export function forgetProof(sessionId: string, account: AccountId): void {
  proofs.delete(nameOf(sessionId, account));
}

/** Reports whether this instance proved the session for the account within the last minute. */
export function wasProved(sessionId: string, account: AccountId, now: Date): boolean {
  const at = proofs.get(nameOf(sessionId, account));
  return at !== undefined && now.getTime() - at < trustedMilliseconds;
}
