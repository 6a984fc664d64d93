import type { Contract } from '../endpoints/contract.ts';
import { toApiError } from '../endpoints/response.ts';
import { labelled } from '../events/subject.ts';
import { minuteOf } from '../security/call-limit.ts';
import { emitOnceInBackground } from './emit-once.ts';
import { systemErrorKey } from './keys.ts';
import type { MiddyRequest } from './request-context.ts';

/**
 * Emits `system_error` when a request of a known account ends in 500: one event per minute, account and route. The event has
 * the request id, by which operators find the failure in the log, and nothing of the request or the error. A dry run emits
 * nothing. Past the request's deadline nothing is written, so that a table that does not respond delays no 500.
 */
export function emitSystemErrors({ method, path }: Contract) {
  return {
    onError({ event, context: { requestContext }, error }: MiddyRequest) {
      // Without a request context the failure came before the request was read.
      if (!requestContext || toApiError(error).code !== 'internal_error') return;
      const { account = requestContext.principal?.log, dryRun, requestId, now, deadline } = requestContext;
      if (account === undefined || dryRun || Date.now() >= deadline) return;
      const route = `${method} ${path}`;
      const label = labelled(requestContext.accountRecord?.name);
      const draft = {
        kind: 'system_error',
        account,
        subject: { type: 'account', id: account, ...label },
        data: { requestId, route },
      } as const;
      const mark = systemErrorKey(account, route, minuteOf(now));
      emitOnceInBackground('system error event', mark, draft, event, requestContext);
    },
  };
}
