import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import type { Validators } from '../endpoints/validation.ts';
import { ApiError, busy } from '../errors.ts';
import type { HideDuplicates } from '../sales/leads/hide-duplicates.ts';
import { backoff } from '../table/backoff.ts';
import { VersionConflict } from '../table/transact.ts';
import { accessLog } from './access-log.ts';
import { authorizeRequest } from './authorize-request.ts';
import { awaitBackgroundWrites } from './background-writes.ts';
import type { CaptureBodies } from './capture-bodies.ts';
import { commitDecided, previewDecided } from './commit-decided.ts';
import { completeResponse } from './complete-response.ts';
import { type DecideModules, decider } from './decide.ts';
import { emitQuotaExceeded } from './emit-quota-exceeded.ts';
import { emitRejections } from './emit-rejection.ts';
import { emitSystemErrors } from './emit-system-error.ts';
import { findStoredResponse, replay } from './idempotency.ts';
import type { PreviewEffects } from './preview-effects.ts';
import { type ReceiveOptions, receiveRequest } from './receive-request.ts';
import type { FreshProofs } from './require-fresh-proof.ts';
import type { HttpEvent, MiddyRequest, Received } from './steps.ts';
import { validateRequest } from './validate-request.ts';

/** A Lambda handler for API Gateway's payload version 2. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResponse>;

/** The options that depend on where the function runs. */
export interface HandlerOptions extends ReceiveOptions, DecideModules {
  /** For contracts that accept dry runs. */
  previewEffects?: PreviewEffects;
  /** For contracts with `proof`. */
  freshProofs?: FreshProofs;
  /** For contracts whose responses can contain leads. */
  hideDuplicates?: HideDuplicates;
  /** For contracts whose bodies are captured. */
  captureBodies?: CaptureBodies;
}

/** Returns the Lambda handler of an endpoint. The middlewares handle the log, the headers and the errors. */
export function lambdaHandler(
  endpoint: Endpoint,
  validators: Validators,
  options: HandlerOptions,
): HttpHandler {
  return middy<HttpEvent, HttpResponse, Error, MiddyRequest['context']>({ timeoutEarlyInMillis: 0 })
    .use(accessLog(endpoint.contract, options.log))
    .use(completeResponse())
    .use(awaitBackgroundWrites())
    .use(emitSystemErrors(endpoint.contract))
    .use(emitRejections(endpoint.contract))
    .handler((event, context) => {
      context.received = receiveRequest(event, context, options);
      return respond(context.received, endpoint, validators, options);
    });
}

/**
 * The steps of a request. After a version conflict, reads and decides again until the deadline. If a request with the
 * same Idempotency-Key committed first, returns the response of that request, even if this request would fail. A dry run
 * commits nothing. If an endpoint commits parts, `decide` runs only once, because committed parts are not rolled back.
 */
async function respond(
  received: Received,
  endpoint: Endpoint,
  validators: Validators,
  options: HandlerOptions,
): Promise<HttpResponse> {
  const { contract } = endpoint;
  const { now, deadline } = received;
  const validated = validateRequest(endpoint, validators, received);
  const known = await authorizeRequest(contract, validated, options.freshProofs);
  const authorized = { ...known, capture: options.captureBodies?.(contract, validators, known) };
  const { idempotency, dryRun, account, principal } = authorized;
  const shown = async (responding: Promise<HttpResponse>): Promise<HttpResponse> => {
    const response = await responding;
    return account ? (options.hideDuplicates?.(response, account, principal) ?? response) : response;
  };
  if (idempotency?.stored) return shown(replay(idempotency.stored, contract, authorized));
  const decide = decider(endpoint, authorized, options);
  for (let attempts = 0; ; ) {
    try {
      const decided = await decide();
      return await shown(
        dryRun
          ? previewDecided(decided, validators.dryRun, authorized, options.previewEffects, attempts)
          : commitDecided(decided, contract, validators.response, authorized, attempts),
      );
    } catch (error) {
      if (!(error instanceof VersionConflict || error instanceof ApiError)) throw error;
      const earlier = idempotency && (await findStoredResponse(idempotency.key, now));
      if (earlier) return shown(replay(earlier, contract, { ...authorized, loading: undefined }));
      if (error instanceof ApiError) {
        if (error.code === 'quota_exceeded' && !dryRun) emitQuotaExceeded(contract, authorized);
        throw error;
      }
      if (contract.commitsParts || Date.now() >= deadline) throw busy();
      attempts = error.attempts;
      await backoff(attempts);
    }
  }
}
