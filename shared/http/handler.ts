import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { accessLog } from './access-log.ts';
import { authenticate } from './authenticate.ts';
import { settleBeside } from './beside.ts';
import { completeResponse } from './complete-response.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { readInput } from './read-input.ts';
import type { HandlerOptions, HttpEvent, MiddyContext } from './request-context.ts';
import type { HttpResponse } from './response.ts';
import { runEndpoint } from './run-endpoint.ts';
import { startRequest } from './start-request.ts';
import type { Validators } from './validation.ts';

/** A Lambda handler for API Gateway's payload version 2. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResponse>;

/** The Lambda of an endpoint: the pipeline that every request passes, around what the endpoint decides. */
export function lambdaHandler(
  endpoint: AnyEndpoint,
  validators: Validators,
  options: HandlerOptions,
): HttpHandler {
  return middy<HttpEvent, HttpResponse, Error, MiddyContext>({ timeoutEarlyInMillis: 0 })
    .use(accessLog(endpoint.contract, options.log))
    .use(completeResponse())
    .use(settleBeside())
    .use(startRequest(options))
    .use(readInput(endpoint.contract, validators))
    .use(authenticate(endpoint))
    .handler(runEndpoint(endpoint, validators.response)) as unknown as HttpHandler;
}
