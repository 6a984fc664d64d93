import { type AccountId, asAccountId } from '../accounts/account-id.ts';
import { principalOf } from '../auth/caller.ts';
import { readAuthority } from '../auth/authority.ts';
import { identify, type Identity } from '../auth/identity.ts';
import { isExpired } from '../table/item.ts';
import type { Key } from '../table/keys.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { Refusal } from './errors.ts';
import { idempotencyRow, isIdempotent } from './idempotency.ts';
import type { Passing, Turn } from './turn.ts';

/**
 * Finds out who calls and for which account, in one read, with the endpoint's own reads beside it. Refuses in
 * this order: 401, 400 without an account, 403 for an account of others, 403 without the permission, and only
 * then what is wrong with the input.
 */
export const authenticate = ({ contract, read }: AnyEndpoint) => ({
  async before({ context }: Passing) {
    const turn = context.turn;
    if (contract.access === 'public') return admitInput(turn);
    const identity = await identify(turn.headers, turn.now);
    if (!identity) throw notAuthenticated();
    const named = contract.access === 'session' ? identity.home : namedAccount(turn, identity, contract.access === 'home');
    const row = named ? rowFor(contract, turn, named, identity) : undefined;
    if (named && !turn.inputRefusal) startReading(read, turn, named);

    const reading = await readAuthority(identity, named, turn.now, row ? [row] : []);
    turn.caller = reading.caller();
    if (contract.access !== 'session') {
      if (turn.headers['x-account-id'] === undefined && !named) throw new Refusal('account_required');
      if (!named) throw new Refusal('account_forbidden');
      turn.account = named;
      Object.assign(turn, withAccount(reading.authority()));
      if (contract.administratorOnly && !turn.caller.administrator) throw new Refusal('administrator_only');
      if (contract.permission && !turn.caller.permissions.has(contract.permission)) throw new Refusal('permission_denied');
    }
    admitInput(turn);
    if (row) {
      const [stored] = reading.alongside;
      turn.idempotency = { key: row, stored: stored && !isExpired(stored, turn.now) ? stored : undefined };
    }
  },
});

const withAccount = ({ caller, account }: { caller: Turn['caller']; account: Turn['accountRecord'] }) => ({
  caller,
  accountRecord: account,
});

function notAuthenticated(): Refusal {
  return new Refusal('not_authenticated', { headers: { 'www-authenticate': 'Bearer' } });
}

/** The account in the header; without one a key's own, and a user's primary one where the contract allows. */
function namedAccount(turn: Turn, identity: Identity, homeByDefault: boolean): AccountId | undefined {
  const header = turn.headers['x-account-id'];
  if (header !== undefined) return asAccountId(header);
  return identity.kind === 'key' || homeByDefault ? identity.home : undefined;
}

function rowFor(
  contract: AnyEndpoint['contract'],
  turn: Turn,
  account: AccountId,
  identity: Identity,
): Key | undefined {
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
