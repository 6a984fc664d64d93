import type { Contract } from '../endpoints/contract.ts';
import { toApiError } from '../endpoints/response.ts';
import { failureOf, type Log, standardOutput } from '../log.ts';
import { principalKeyOf } from '../security/principal.ts';
import type { MiddyRequest } from './steps.ts';

/** Writes one JSON line per request: route, principal, status and duration, but no query and no bodies. */
export function accessLog(contract: Contract, write: Log = standardOutput) {
  /** True until this instance has sent its first response. */
  let cold = true;
  const log = ({ event, context: { received }, response, error }: MiddyRequest) => {
    const { account, principal } = received?.progress.caller ?? {};
    const apiError = error ? toApiError(error) : undefined;
    const unexpected = apiError?.code === 'internal_error' ? error : undefined;
    write(
      `${JSON.stringify({
        level: unexpected ? 'error' : 'info',
        requestId: event.requestContext.requestId,
        route: `${contract.method} ${contract.path}`,
        status: response?.statusCode,
        error: apiError?.code,
        cause: apiError?.cause,
        account,
        principal: principal && principalKeyOf(principal),
        impersonatedBy: principal?.impersonation?.by,
        milliseconds: Math.round((performance.now() - (received?.startedAt ?? performance.now())) * 10) / 10,
        ...(cold && { cold }),
        ...(unexpected && { failure: failureOf(unexpected) }),
      })}\n`,
    );
    cold = false;
  };
  return { after: log, onError: log };
}
