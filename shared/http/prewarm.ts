import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { Validators } from '../endpoints/validation.ts';
import { prewarmVerification } from '../security/tokens.ts';
import { prewarmIncrement } from '../table/counters.ts';
import { queryItems } from '../table/read.ts';
import { type HandlerOptions, lambdaHandler } from './handler.ts';
import { nobody, prewarmKey } from './keys.ts';
import type { HttpEvent } from './steps.ts';

/** In milliseconds. Lambda ends the init phase after 10 s. */
const longest = 1000;

/**
 * Returns a function for Lambda's init phase. It runs the code of a request, so that V8 has compiled this code and the
 * connection to DynamoDB is open when the first request arrives. It reads only items that do not exist, writes nothing
 * and logs nothing. It never rejects, because the first request that needs the same data reports the error.
 */
export function prewarmFor(endpoint: Endpoint, validators: Validators, options: HandlerOptions) {
  const handler = lambdaHandler(endpoint, validators, { ...options, log: () => {} });
  // A public endpoint would execute `requestWithUnknownKey`, because it has no authentication that rejects
  // the request.
  const authenticates = endpoint.contract.access !== 'public';
  return async (): Promise<void> => {
    const parts: (() => Promise<unknown> | undefined)[] = [
      () => (authenticates ? handler(requestWithUnknownKey, context) : undefined),
      () => queryItems({ partition: prewarmKey.pk, sortKey: { from: '0', to: '1' }, limit: 1 }),
      () => prewarmVerification(),
      () => (authenticates ? prewarmIncrement(prewarmKey) : undefined),
    ];
    // If a part throws synchronously, the async function turns the error into a rejection.
    const prewarmed = Promise.allSettled(parts.map(async (part) => part()));
    await Promise.race([prewarmed, sleep(longest, undefined, { ref: false })]);
  };
}

/** The service rejects this request with 401 after the read for authorization, and does not count it. */
const requestWithUnknownKey: HttpEvent = {
  version: '2.0',
  routeKey: '$default',
  rawPath: '/',
  rawQueryString: '',
  headers: { 'x-api-key': `mo_key_${nobody}_${'0'.repeat(22)}`, 'x-api-secret': 'none' },
  requestContext: {
    accountId: '',
    apiId: '',
    domainName: '',
    domainPrefix: '',
    http: { method: 'GET', path: '/', protocol: 'HTTP/1.1', sourceIp: '', userAgent: '' },
    requestId: 'prewarm',
    routeKey: '$default',
    stage: '$default',
    time: '',
    timeEpoch: 0,
  },
  isBase64Encoded: false,
};

const context: Context = {
  functionName: '',
  awsRequestId: '',
  functionVersion: '',
  invokedFunctionArn: '',
  memoryLimitInMB: '',
  logGroupName: '',
  logStreamName: '',
  callbackWaitsForEmptyEventLoop: false,
  getRemainingTimeInMillis: () => longest,
  done: () => {},
  fail: () => {},
  succeed: () => {},
};
