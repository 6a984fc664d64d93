import { type AccountId, asAccountId } from '../accounts/account-id.ts';
import { type Found, type Reading, readAuthority, readAuthorityAmong } from '../auth/authority.ts';
import { type Caller, principalOf } from '../auth/caller.ts';
import { type Identity, identify } from '../auth/identity.ts';
import { forgetProof, rememberProof, wasProved } from '../auth/recent-proofs.ts';
import { type Item, isExpired } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import { normalizeEmail } from '../users/email.ts';
import type { Contract } from './contract.ts';
import { countersOf, limitCalls, limitEndedSession, noteLastUse, refuseEndedSession } from './count-calls.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { Refusal } from './errors.ts';
import { idempotencyRow, isIdempotent } from './idempotency.ts';
import type { Passing, Turn } from './turn.ts';

/**
 * Finds out who calls and for which account, in one read, with the endpoint's own reads beside it. Refuses in
 * this order: 401, 429, 400 without an account, 403 for an account of others, 403 without the permission, and only
 * then what is wrong with the input.
 */
export const authenticate = ({ contract, read, wide, weigh }: AnyEndpoint) => ({
  async before({ event, context: { turn } }: Passing) {
    if (contract.access === 'public') return admitInput(turn);
    const identity = await identify(turn.headers, turn.now);
    if (!identity) throw new Refusal('not_authenticated');
    if (contract.sessionOnly && identity.sessionId === undefined)
      throw new Refusal('not_authenticated', { message: 'Send a session token.' });
    refuseEndedSession(turn, identity);
    const account = contract.access === 'session' ? identity.home : namedAccount(contract, turn, identity);
    const row = account && rowOf(contract, turn, account, identity);
    if (account && mayReadEarly(identity, account, turn, wide)) startReading(read, turn, account);

    const counters = countersOf(identity, turn.now);
    const reading = await readAuthority(identity, account, turn.now, [...counters, ...(row ? [row] : [])]);
    turn.caller = provenCaller(reading, identity, account, turn);
    noteLastUse(turn, identity, reading.alongside[1]);
    let stored = row && { key: row, item: reading.alongside.at(-1) };
    const weight = turn.inputRefusal ? 1 : (weigh?.(turn.query) ?? 1);
    limitCalls(event, turn, turn.caller, reading.alongside[0], weight);
    if (contract.access !== 'session') {
      if (!account)
        throw new Refusal(turn.headers['x-account-id'] ? 'account_forbidden' : 'account_required');
      const named = { authority: reading.authority(), row: stored };
      const found = named.authority ? named : await enterPrimary(contract, turn, identity, reading);
      if (!found.authority) throw new Refusal('account_forbidden');
      stored = found.row;
      const { caller, account: accountRecord } = found.authority;
      Object.assign(turn, { account: accountRecord.id, caller, accountRecord });
      if (!(contract.orSelf && namesCaller(turn, caller))) authorize(contract, caller);
      if (identity.sessionId !== undefined)
        rememberProof(identity.sessionId, accountRecord.id as AccountId, turn.now);
    }
    admitInput(turn);
    if (stored) turn.idempotency = { key: stored.key, stored: live(stored.item, turn.now) };
  },
});

/** The primary account of a user who named none and whose home it is no more; else nothing. */
async function enterPrimary(
  contract: Contract,
  turn: Turn,
  identity: Identity,
  reading: Reading,
): Promise<Found> {
  if (!meansPrimary(contract, turn, identity)) return {};
  // What is read early is the home account's.
  turn.loading = undefined;
  const rowIn = (account: AccountId) => rowOf(contract, turn, account, identity);
  return readAuthorityAmong(reading.accounts(), reading.caller(), rowIn);
}

/**
 * A signature proves who asks, which is enough to read one record before it is known whether its session has ended. A
 * key that came without one proves it only by what is read now. A list waits for that too, unless this instance saw
 * the same proof a moment ago.
 */
function mayReadEarly({ sessionId }: Identity, account: AccountId, turn: Turn, wide = false): boolean {
  if (sessionId === undefined || turn.inputRefusal || turn.namesNothing) return false;
  return !wide || wasProved(sessionId, account, turn.now);
}

function provenCaller(
  reading: Reading,
  identity: Identity,
  account: AccountId | undefined,
  turn: Turn,
): Caller {
  try {
    return reading.caller();
  } catch (error) {
    if (identity.sessionId === undefined) throw error;
    if (account) forgetProof(identity.sessionId, account);
    limitEndedSession(turn, identity);
    throw error;
  }
}

function authorize({ administratorOnly, permission }: Contract, caller: Caller): void {
  if (administratorOnly && !caller.administrator) throw new Refusal('administrator_only');
  if (permission && !caller.permissions.has(permission)) throw new Refusal('permission_denied');
}

function namesCaller({ params }: Turn, caller: Caller): boolean {
  const { email } = params as { email?: unknown };
  return caller.kind === 'user' && typeof email === 'string' && normalizeEmail(email) === caller.actor.user;
}

/** Whether a user names no account and the contract lets it act in its primary one. */
const meansPrimary = (contract: Contract, turn: Turn, { kind }: Identity): boolean =>
  kind === 'user' && contract.access === 'home' && turn.headers['x-account-id'] === undefined;

/**
 * The account in the header; without one a key's own, and a user's home where the contract allows: for nearly
 * everybody that is the primary one.
 */
function namedAccount(contract: Contract, turn: Turn, identity: Identity): AccountId | undefined {
  const header = turn.headers['x-account-id'];
  if (header !== undefined) return asAccountId(header);
  return identity.kind === 'key' || meansPrimary(contract, turn, identity) ? identity.home : undefined;
}

function rowOf(contract: Contract, turn: Turn, account: AccountId, identity: Identity): Key | undefined {
  const header = turn.headers['idempotency-key'];
  if (header === undefined || !isIdempotent(contract)) return undefined;
  try {
    return idempotencyRow(account, principalOf(identity), contract, header);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    turn.inputRefusal ??= error;
    return undefined;
  }
}

function startReading(read: AnyEndpoint['read'], turn: Turn, account: AccountId): void {
  turn.loading = read?.({ ...turn, account });
  // A refusal in it waits until the caller has proved it may hear it.
  turn.loading?.catch(() => undefined);
}

function admitInput(turn: Turn): void {
  if (turn.inputRefusal) throw turn.inputRefusal;
}

const live = (item: Item | undefined, now: Date): Item | undefined =>
  item && !isExpired(item, now) ? item : undefined;
