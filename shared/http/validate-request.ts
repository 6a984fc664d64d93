import { type Contract, takesDryRun } from '../endpoints/contract.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { splitBody } from '../endpoints/read-only-fields.ts';
import { check, type Validators } from '../endpoints/validation.ts';
import { ApiError } from '../errors.ts';
import { readBody, readForm } from './body.ts';
import { idempotencyKeyOf } from './idempotency.ts';
import type { HttpEvent, Input, Received, Validated } from './steps.ts';

/** Parses and validates path, query, body and Idempotency-Key. Returns errors, because authorization comes first. */
export function validateRequest(endpoint: Endpoint, validators: Validators, received: Received): Validated {
  const { contract, read = async () => undefined } = endpoint;
  const { event, headers, progress } = received;
  const sentParams = event.pathParameters ?? {};
  const params = attempt(() => check(validators.params, sentParams));
  const query = attempt(() => readQuery(contract, validators, event));
  const idempotencyKey = attempt(() => idempotencyKeyOf(contract, headers));
  progress.dryRun = !(query instanceof ApiError) && query.dryRun;
  const isMissing = params instanceof ApiError;
  return {
    ...received,
    params: isMissing ? sentParams : params,
    read: isMissing ? missing : read,
    dryRun: progress.dryRun,
    idempotencyKey: idempotencyKey instanceof ApiError ? undefined : idempotencyKey,
    input: attempt((): Input => {
      const { own } = valid(query);
      const input = { query: own, ...readInput(endpoint, validators, received) };
      valid(idempotencyKey);
      return input;
    }),
  };
}

/** Returns the result of `run`, or the ApiError that it throws. */
function attempt<T>(run: () => T): T | ApiError {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Returns the result of a validation, or throws its error. */
export function valid<T>(result: T | ApiError): T {
  if (result instanceof ApiError) throw result;
  return result;
}

async function missing(): Promise<never> {
  throw new ApiError('not_found');
}

/** Query parameters that the pipeline adds, depending on the contract. They are not part of an endpoint's `query`. */
interface ByTerms {
  dryRun?: boolean;
  appKey?: string;
  acctId?: string;
}

/** Returns the endpoint's own query, without the parameters of the pipeline. */
function readQuery(
  contract: Contract,
  validators: Validators,
  { rawQueryString }: HttpEvent,
): { own: unknown; dryRun: boolean } {
  const query = check(validators.query, parseQuery(rawQueryString));
  if (!takesDryRun(contract) && !contract.applicant) return { own: query, dryRun: false };
  const { dryRun = false, appKey, acctId, ...own } = query as ByTerms;
  // Each access to sensitive values must be recorded in an event. A dry run emits no event, so it shows none of
  // these values.
  return { own: dryRun ? { ...own, reveal: false } : own, dryRun };
}

/** Parses a query string into an object. A repeated parameter becomes an array. */
function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

const formType = 'application/x-www-form-urlencoded';

function readInput(
  { contract, checkBody = check }: Endpoint,
  validators: Validators,
  { event: { body, isBase64Encoded }, headers }: Received,
): Omit<Input, 'query'> {
  if (!contract.body) return { body: undefined, readOnly: {} };
  const isForm = contract.acceptsForm && headers['content-type']?.startsWith(formType);
  const read = isForm ? readForm : readBody;
  const sent = contract.bodyOptional && !body ? {} : read({ body, isBase64Encoded });
  const split = validators.sentBack ? splitBody(sent, validators.sentBack) : { body: sent, readOnly: {} };
  return { body: checkBody(validators.body, split.body), readOnly: split.readOnly };
}
