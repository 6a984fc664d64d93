import type { StoredAccount } from '../accounts/schema.ts';
import { type Contract, rejectsUnknownPaths } from '../endpoints/contract.ts';
import { toApiError } from '../endpoints/response.ts';
import { patternOf } from '../endpoints/routes.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { emitOnce } from '../events/emit-once.ts';
import { labelled } from '../events/subject.ts';
import { type AccountId, asAccountId } from '../id/account-id.ts';
import { loadPrincipal } from '../people/sessions/load-principal.ts';
import { callMinute } from '../security/call-limit.ts';
import { readCredential } from '../security/credential.ts';
import type { Principal } from '../security/principal.ts';
import { runInBackground } from './background-writes.ts';
import { onceAMinute } from './emit-in-background.ts';
import { rejectedKey } from './keys.ts';
import { toEvent } from './request-trace.ts';
import type { MiddyRequest, Received } from './steps.ts';

/** The event kind for each error. Other errors emit no event. */
const kinds: Partial<Record<ErrorCode, 'not_found' | 'method_not_allowed'>> = {
  not_found: 'not_found',
  route_not_found: 'not_found',
  method_not_allowed: 'method_not_allowed',
};

/** Stands in events for each path that no endpoint has. */
const unknownPath = 'unknown';

/** The caller of a rejected request. */
interface Rejected {
  account: AccountId;
  principal: Pick<Principal, 'kind' | 'id'>;
  /** Returns undefined if the credential is not valid for the account. */
  read(): Promise<{ principal: Principal; account: StoredAccount } | undefined>;
}

/**
 * Emits `not_found` and `method_not_allowed` for authenticated callers of a known account: one event per minute, caller and
 * path pattern. The event contains the pattern instead of the path, and no query. A dry run emits nothing. After the
 * request's deadline, nothing is written.
 */
export function emitRejections(contract: Contract) {
  return {
    onError({ context: { received }, error }: MiddyRequest): void {
      if (!received || received.progress.dryRun || Date.now() >= received.deadline) return;
      const kind = kinds[toApiError(error).code];
      if (!kind) return;
      const { event, now } = received;
      const { method } = event.requestContext.http;
      const pattern = patternFor(contract, kind, received);
      runInBackground(received, `${kind} event`, async () => {
        const rejected = rejectsUnknownPaths(contract) ? await recognized(received) : authorized(received);
        if (!rejected) return;
        const { account, principal, read } = rejected;
        const mark = rejectedKey(account, principal, { kind, pattern, minute: callMinute(now) });
        const find = async () => {
          const caller = await read();
          if (!caller) return undefined;
          const subject = { type: 'account', id: account, ...labelled(caller.account.name) } as const;
          const draft = { kind, subject, data: { route: `${method} ${pattern}` } } as const;
          const known = { account, principal: caller.principal, accountRecord: caller.account };
          return toEvent(draft, { ...withPath(received, pattern), ...known });
        };
        await emitOnce(mark, find, onceAMinute(received));
      });
    },
  };
}

function patternFor(contract: Contract, kind: string, { api, event }: Received): string {
  if (!rejectsUnknownPaths(contract)) return contract.path;
  return (kind === 'method_not_allowed' && patternOf(api.routes, event.rawPath)) || unknownPath;
}

/** Returns the caller that the request already identified in its account. */
function authorized({ progress: { caller } }: Received): Rejected | undefined {
  if (caller.account === undefined) return undefined;
  const { account, principal, accountRecord } = caller;
  return { account, principal, read: async () => ({ principal, account: accountRecord }) };
}

/** Finds the caller of an endpoint with public access, which does not authenticate. */
async function recognized({ headers, now }: Received): Promise<Rejected | undefined> {
  const credential = await readCredential(headers, now);
  const named = headers['x-account-id'];
  const account =
    named === undefined ? (credential?.impersonator?.account ?? credential?.home) : asAccountId(named);
  if (!credential || !account) return undefined;
  const read: Rejected['read'] = async () => {
    try {
      return (await loadPrincipal(credential, account, now)).authority();
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_authenticated') return undefined;
      throw error;
    }
  };
  return { account, principal: credential, read };
}

/** The request as the event records it: with the pattern instead of the path, and without the page that sent it. */
const withPath = (received: Received, pattern: string): Received => ({
  ...received,
  event: { ...received.event, rawPath: pattern },
  headers: { ...received.headers, referer: undefined },
});
