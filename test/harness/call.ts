import { randomUUID } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import { expect } from 'vitest';
import { describeApi } from '../../infra/build/api-description.ts';
import { listsOf, loadEndpoints } from '../../infra/build/endpoints.ts';
import { dryRunSchema } from '../../infra/contract-schemas.ts';
import { toHttpEvent } from '../../infra/local/http-event.ts';
import { exampleOf } from '../../infra/openapi/example.ts';
import { endpointStatements } from '../../infra/rights/endpoint-rights.ts';
import { apiVersion } from '../../shared/api-version.ts';
import {
  type Contract,
  capturesBodies,
  showsLeads,
  successStatus,
  takesDryRun,
} from '../../shared/endpoints/contract.ts';
import type {
  AnyContract,
  ApiDescription,
  Endpoint,
  RunnableList,
  StaticOf,
  WithLists,
} from '../../shared/endpoints/endpoint.ts';
import type { HttpResponse } from '../../shared/endpoints/response.ts';
import type { Validate } from '../../shared/endpoints/validation.ts';
import { captureBodies } from '../../shared/http/capture-bodies.ts';
import { partsOf } from '../../shared/http/commit-parts.ts';
import { type HttpHandler, lambdaHandler } from '../../shared/http/handler.ts';
import { previewEffects } from '../../shared/http/preview-effects.ts';
import { freshProofs } from '../../shared/http/require-fresh-proof.ts';
import type { HttpEvent, OriginProof } from '../../shared/http/steps.ts';
import { signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import { hideDuplicates } from '../../shared/sales/leads/hide-duplicates.ts';
import type { TSchema } from '../../shared/schema.ts';
import { openDataKeys } from '../../shared/security/data-keys.ts';
import { clock } from './clock.ts';
import { responseValidatorOf, validatorsOf } from './compiled.ts';
import { rejectInconsistentReads } from './consistent-reads.ts';
import { watchDecisions } from './pure-decisions.ts';
import './rights.ts';
import { rejectSilentChanges } from './silent-changes.ts';
import { type Invocation, runAs } from './wire.ts';

/** The response to a call. `body` is the parsed JSON. On success, its type is the contract's response. */
export interface CallResponse<R> {
  status: number;
  headers: Record<string, string>;
  body: R;
  /** The body as it was sent. Not enumerable, so that assertions on a whole response ignore it. */
  text: string;
}

export interface ErrorBody {
  error: string;
  status: number;
  message: string;
  details?: { field: string; message: string }[];
}

export interface Sent<C> {
  params?: StaticOf<C, 'params'>;
  query?: StaticOf<C, 'query'> | object;
  body?: StaticOf<C, 'body'>;
  /** The raw bytes of the body, sent instead of `body`. */
  rawBody?: Buffer | string;
  headers?: Record<string, string>;
  /** The secret with which the body is signed (Standard Webhooks), with a new message id. */
  signWith?: string;
  sourceIp?: string;
  /** The fields that the gateway's authorizer adds to the event in a stage with CloudFront. */
  originProof?: OriginProof;
  /** The remaining time in milliseconds that Lambda reports. If omitted, only the pipeline limits the time. */
  milliseconds?: number;
}

/** The log lines of this file's calls, as CloudWatch would receive them. */
export const logged: string[] = [];

rejectInconsistentReads();
rejectSilentChanges();

let described: Promise<ApiDescription> | undefined;

/** Returns the description of the whole API if the endpoint serves it, and otherwise an empty description. */
async function apiFor({ apiArtifact }: Contract): Promise<ApiDescription> {
  if (!apiArtifact) return describeApi([]);
  described ??= loadEndpoints().then(describeApi);
  return described;
}

/** Returns the lists of an endpoint that runs them. */
async function listsFor(): Promise<WithLists['lists']> {
  const lists = Object.entries(listsOf(await loadEndpoints())).map(([resource, { endpoint }]) => {
    const { query, response } = validatorsOf(endpoint.contract);
    return [resource, { endpoint, query, response } as RunnableList] as const;
  });
  return Object.fromEntries(lists) as unknown as WithLists['lists'];
}

interface Deployed {
  handler: HttpHandler;
  as: Invocation;
  /** Default path parameters, for tests in which the record does not matter. */
  example: object;
  /** Returns the validator of a response. Each validator is compiled at its first use. */
  validateResponse: () => Validate;
  /** Returns the validator of the response of a dry run. */
  validateDryRun: () => Validate;
}

const deployed = new Map<Endpoint, Promise<Deployed>>();

/** Returns the endpoint as its Lambda runs it, with the real pipeline and validators, but with the test's clock. */
function deploy(endpoint: Endpoint): Promise<Deployed> {
  const known = deployed.get(endpoint) ?? makeDeployed(endpoint);
  deployed.set(endpoint, known);
  return known;
}

async function makeDeployed(endpoint: Endpoint): Promise<Deployed> {
  const { contract } = endpoint;
  const api = await apiFor(contract);
  return {
    handler: lambdaHandler(watchDecisions(endpoint), validatorsOf(contract), {
      clock: clock.now,
      ...(contract.sensitive && { openDataKeys }),
      ...(contract.proof && { freshProofs }),
      ...(contract.commitsParts && { partsOf }),
      ...(contract.runsLists && { lists: await listsFor() }),
      ...(takesDryRun(contract) && { previewEffects }),
      ...(capturesBodies(contract) && { captureBodies }),
      ...(showsLeads(contract) && { hideDuplicates }),
      api,
      // This limit is longer than in Lambda, because tests send many requests in parallel, sometimes on only two cores.
      budgetMilliseconds: 240_000,
      log: (line) => logged.push(line),
    }),
    as: {
      functionName: `${contract.method} ${contract.path}`,
      statements: endpointStatements(contract),
    },
    example: contract.params ? (exampleOf(contract.params, 'response') as object) : {},
    validateResponse: once(() => responseValidatorOf(contract)),
    validateDryRun: once(() => responseValidatorOf({ ...contract, response: dryRunSchema(contract) })),
  };
}

const once = (make: () => Validate): (() => Validate) => {
  let made: Validate | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/**
 * Sends a request as an API Gateway event through the whole pipeline of the endpoint. The test fails if the status or
 * the body of the response does not match the contract. The `requestId` of an error is checked and then removed, so that
 * tests can compare the bodies of errors.
 */
export async function call<C extends AnyContract>(
  endpoint: Endpoint<C>,
  {
    params,
    query,
    body,
    rawBody,
    headers = {},
    signWith,
    sourceIp = '192.0.2.1',
    originProof,
    milliseconds,
  }: Sent<C> = {},
): Promise<CallResponse<StaticOf<C, 'response'> & Omit<ErrorBody, 'status'>>> {
  const { contract } = endpoint;
  const { handler, as, example, validateResponse, validateDryRun } = await deploy(endpoint);
  const named: Record<string, unknown> = { ...example, ...(params as object | undefined) };
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(named[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const one of [value].flat()) if (one !== undefined) search.append(name, String(one));
  const bytes = Buffer.from(rawBody ?? (body === undefined ? '' : JSON.stringify(body)));
  const signature = signWith && signedHeaders(bytes, [signWith], `evt_${randomUUID()}`, clock.now());
  const method = contract.method === 'ANY' ? 'GET' : contract.method;
  const request = {
    method,
    target: search.size > 0 ? `${path}?${search}` : path,
    headers: Object.entries({
      host: 'api.test',
      'content-type': 'application/json',
      ...headers,
      ...signature,
    }).flat(),
    body: bytes,
    sourceIp,
  };
  const pathParams = Object.fromEntries(Object.entries(named).map(([name, value]) => [name, String(value)]));
  const event: HttpEvent = toHttpEvent(request, { route: contract, params: pathParams }, clock.now());
  if (originProof) event.requestContext.authorizer = { lambda: originProof };
  const httpResponse = await runAs(as, () => handler(event, contextOf(milliseconds)));
  let response = readResponse(httpResponse);
  if (httpResponse.statusCode === 304) {
    expect(
      contract.mediaType,
      `${contract.method} ${path} returned 304, but is not a document`,
    ).toBeDefined();
    expect(httpResponse.body).toBe('');
  } else if (httpResponse.statusCode === 204) {
    demand(httpResponse.statusCode, successStatus(contract), `${contract.method} ${path}`);
    demand(httpResponse.body, '', 'body');
  } else if (httpResponse.statusCode < 400) {
    const dryRun = takesDryRun(contract) && response.dryRun === true;
    const status = dryRun ? 200 : successStatus(contract);
    demand(httpResponse.statusCode, status, `${contract.method} ${path}`);
    const replayed = httpResponse.headers['idempotency-replayed'] !== undefined;
    const validate = dryRun ? validateDryRun() : validateResponse();
    if (!validate(response))
      expect.fail(`${contract.method} ${path} ${httpResponse.body}: ${JSON.stringify(validate.errors)}`);
    // A replayed response shows a one-time field as REDACTED, or omits it if the caller may not see it.
    for (const field of replayed ? (contract.oneTime ?? []) : [])
      expect([undefined, 'REDACTED'], field).toContain(
        field.split('.').reduce((value, name) => value?.[name], response),
      );
    expectOrder(response, dryRun ? dryRunSchema(contract) : contract.response);
  } else if (contract.scim) {
    demand(httpResponse.headers['content-type'], 'application/scim+json; charset=utf-8', httpResponse.body);
    demand(response.schemas?.[0], 'urn:ietf:params:scim:api:messages:2.0:Error', httpResponse.body);
    demand(response.status, String(httpResponse.statusCode), httpResponse.body);
    demand(typeof response.detail, 'string', httpResponse.body);
    // Errors in SCIM's format have no code. Tests of all routes compare the code in the log.
    const { schemas: _, detail: message, ...others } = response;
    const line = logged.findLast((one) => one.includes(event.requestContext.requestId)) ?? '{}';
    const { error } = JSON.parse(line) as { error?: string };
    const named = [...message.matchAll(/(\S+): (.+?)\.(?= |$)/g)];
    const details = named.map(([, field, fault]) => ({ field, message: fault }));
    response = { ...others, error, status: httpResponse.statusCode, message, details };
  } else {
    demand(typeof response.error, 'string', httpResponse.body);
    demand(response.status, httpResponse.statusCode, httpResponse.body);
    demand(typeof response.message, 'string', httpResponse.body);
    demand(response.requestId, event.requestContext.requestId, httpResponse.body);
    delete response.requestId;
  }
  const scheme = httpResponse.statusCode === 401 ? 'Bearer' : undefined;
  demand(httpResponse.headers['www-authenticate'], scheme, `${contract.method} ${path}`);
  demand(httpResponse.headers['x-api-version'], apiVersion, 'x-api-version');
  demand(httpResponse.headers['x-request-id'], event.requestContext.requestId, 'x-request-id');
  const result = { status: httpResponse.statusCode, headers: httpResponse.headers, body: response };
  return Object.defineProperty(result, 'text', { value: httpResponse.body }) as typeof result & {
    text: string;
  };
}

/** The same as `expect(actual, message).toBe(expected)`, but faster: `expect` is called only if the values differ. */
function demand(actual: unknown, expected: unknown, message: string): void {
  if (!Object.is(actual, expected)) expect(actual, message).toBe(expected);
}

/** Decodes a response as a client does: base64, compression and JSON. */
function readResponse({ headers, body, isBase64Encoded, statusCode }: HttpResponse) {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const decompress = { br: brotliDecompressSync, gzip: gunzipSync }[headers['content-encoding'] ?? ''];
  const text = (decompress?.(bytes) ?? bytes).toString();
  const isJson =
    /^application\/(?:scim\+)?json/.test(headers['content-type'] ?? '') &&
    statusCode !== 304 &&
    statusCode !== 204;
  return isJson ? JSON.parse(text) : text;
}

/** The schemas of the fields that had a value in a response of this file's calls. */
export const seenFields = new Set<object>();

/** Fails the test if the fields of a response, at any depth, are not in the order of the schema. */
function expectOrder(response: unknown, schema: TSchema): void {
  if (typeof response !== 'object' || response === null) return;
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  if (Array.isArray(response)) for (const item of response) expectOrder(item, items ?? {});
  if (!properties) return;
  const [found, wanted] = [Object.keys(response), Object.keys(properties).filter((name) => name in response)];
  if (found.length !== wanted.length || found.some((name, at) => name !== wanted[at]))
    expect(found).toEqual(wanted);
  for (const [name, inner] of Object.entries(response)) {
    const field = properties[name] ?? {};
    if (inner !== null) seenFields.add(field);
    expectOrder(inner, field);
  }
}

/** The part of Lambda's context that the pipeline uses. */
const contextOf = (milliseconds: number | undefined): Context =>
  (milliseconds === undefined ? {} : { getRemainingTimeInMillis: () => milliseconds }) as Context;
