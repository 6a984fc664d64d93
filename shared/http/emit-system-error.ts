import type { Contract } from '../endpoints/contract.ts';
import { toApiError } from '../endpoints/response.ts';
import { labelled } from '../events/subject.ts';
import { callMinute } from '../security/call-limit.ts';
import { emitOnceInBackground } from './emit-in-background.ts';
import { systemErrorKey } from './keys.ts';
import type { MiddyRequest } from './steps.ts';

/**
 * Emits `system_error` when a request of a known account ends in 500: one event per minute, account and
 * route. The event contains the request id, by which operators can find the failure in the log. It does not
 * contain the error or the request's body. A dry run emits nothing. After the request's deadline, nothing is
 * written, because a write to an unavailable table would delay the response.
 */
export function emitSystemErrors({ method, path }: Contract) {
  return {
    onError({ context: { received }, error }: MiddyRequest) {
      if (!received || toApiError(error).code !== 'internal_error') return;
      const { requestId, now, deadline } = received;
      const { dryRun, caller } = received.progress;
      const account = caller.account ?? caller.principal?.log;
      if (account === undefined || dryRun || Date.now() >= deadline) return;
      const route = `${method} ${path}`;
      const label = labelled(caller.accountRecord?.name);
      const draft = {
        kind: 'system_error',
        account,
        subject: { type: 'account', id: account, ...label },
        data: { requestId, route },
      } as const;
      const mark = systemErrorKey(account, route, callMinute(now));
      emitOnceInBackground('system error event', mark, draft, { ...received, ...caller });
    },
  };
}
