import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { accessLog } from './access-log.ts';
import { act } from './act.ts';
import { authenticate } from './authenticate.ts';
import { beginTurn } from './begin-turn.ts';
import { settleBeside } from './beside.ts';
import type { AnyEndpoint } from './endpoint.ts';
import { readInput } from './read-input.ts';
import type { Reply } from './reply.ts';
import { respond } from './respond.ts';
import type { HttpEvent, Surroundings, TurnContext } from './turn.ts';
import type { Validators } from './validation.ts';

/** A Lambda handler for API Gateway's payload version 2. */
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<Reply>;

/** The Lambda of an endpoint: the pipeline that every request passes, around what the endpoint decides. */
export function lambdaHandler(
  endpoint: AnyEndpoint,
  validators: Validators,
  surroundings: Surroundings,
): HttpHandler {
  return middy<HttpEvent, Reply, Error, TurnContext>({ timeoutEarlyInMillis: 0 })
    .use(accessLog(endpoint.contract, surroundings.log))
    .use(respond())
    .use(settleBeside())
    .use(beginTurn(surroundings))
    .use(readInput(endpoint.contract, validators))
    .use(authenticate(endpoint))
    .handler(act(endpoint, validators.answer)) as unknown as HttpHandler;
}
