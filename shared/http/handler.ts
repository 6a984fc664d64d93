import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { HttpResponse } from '../endpoints/response.ts';
import type { Validators } from '../endpoints/validation.ts';
import { accessLog } from './access-log.ts';
import { authenticate } from './authenticate.ts';
import { awaitBackgroundWrites } from './background-writes.ts';
import { completeResponse } from './complete-response.ts';
import { emitSystemErrors } from './emit-system-error.ts';
import { readInput } from './read-input.ts';
import type { HttpEvent, MiddyContext } from './request-context.ts';
import { type CarriedCode, runEndpoint } from './run-endpoint.ts';
import { type StartOptions, startRequest } from './start-request.ts';

/** A Lambda handler for API Gateway's payload version 2. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResponse>;

/** The options that depend on where the function runs. */
export type HandlerOptions = StartOptions & CarriedCode;

/** Returns the Lambda handler of an endpoint, which runs the middlewares and `decide`. */
export function lambdaHandler(
  endpoint: Endpoint,
  validators: Validators,
  options: HandlerOptions,
): HttpHandler {
  const pipeline: (event: HttpEvent, context: MiddyContext) => Promise<HttpResponse> = middy<
    HttpEvent,
    HttpResponse,
    Error,
    MiddyContext
  >({ timeoutEarlyInMillis: 0 })
    .use(accessLog(endpoint.contract, options.log))
    .use(completeResponse())
    .use(awaitBackgroundWrites())
    .use(emitSystemErrors(endpoint.contract))
    .use(startRequest(endpoint, options))
    .use(readInput(endpoint.contract, validators))
    .use(authenticate(endpoint))
    .handler(runEndpoint(endpoint, validators, options));
  // `startRequest` adds the request context before any other middleware reads it.
  return (event, context) => pipeline(event, context as MiddyContext);
}
