import { type Contract, takesDryRun } from '../endpoints/contract.ts';
import { splitBody } from '../endpoints/read-only-fields.ts';
import { check, type Validators } from '../endpoints/validation.ts';
import { ApiError } from '../errors.ts';
import { readBody } from './body.ts';
import type { MiddyRequest } from './request-context.ts';

/**
 * Parses and validates path, query and body. Validation errors are thrown only after authorization, so that an
 * unauthorized caller gets 403 instead. A malformed id in the path returns 404, like the id of a missing record.
 */
export const readInput = (contract: Contract, validators: Validators) => ({
  before({ event, context }: MiddyRequest) {
    const requestContext = context.requestContext;
    const path = attempt(() => check(validators.params, requestContext.params));
    requestContext.pathMatchesNoRecord = path instanceof ApiError;
    if (!requestContext.pathMatchesNoRecord) requestContext.params = path;
    const apiError = attempt(() => {
      const query = check(validators.query, readQuery(event.rawQueryString));
      const { dryRun = false, appKey, acctId, ...own } = query as ByTerms;
      // Each access to sensitive values must be recorded in an event. A dry run emits no event, so it shows none of
      // these values.
      const asked = dryRun ? { ...own, reveal: false } : own;
      Object.assign(requestContext, takesMore(contract) ? { query: asked, dryRun } : { query });
      if (contract.body) {
        const absent = contract.bodyOptional && !event.body;
        const { body, isBase64Encoded } = event;
        const sent = absent ? {} : readBody({ body, isBase64Encoded });
        const split = validators.sentBack && splitBody(sent, validators.sentBack);
        requestContext.body = check(validators.body, split ? split.body : sent);
        requestContext.readOnly = split?.readOnly;
      }
    });
    if (apiError instanceof ApiError) requestContext.inputError = apiError;
  },
});

/** Query parameters that the pipeline adds, depending on the contract. They are not part of an endpoint's `query`. */
interface ByTerms {
  dryRun?: boolean;
  appKey?: string;
  acctId?: string;
}

const takesMore = (contract: Contract): boolean => takesDryRun(contract) || contract.applicant === true;

/** Returns the result of `run`, or the ApiError that it throws. */
function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Parses a query string into an object. A repeated parameter becomes an array. */
function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}
