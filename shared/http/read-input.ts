import { type Contract, takesDryRun } from '../endpoints/contract.ts';
import { splitBody } from '../endpoints/read-only-fields.ts';
import { check, type Validators } from '../endpoints/validation.ts';
import { ApiError } from '../errors.ts';
import { readBody } from './body.ts';
import type { MiddyRequest } from './request-context.ts';

/**
 * Parses and validates path, query and body. An error in them is thrown only after authorization: a principal that may
 * not make the request learns that first. A path that fits no record's id names nothing, and is a 404 like the path of
 * a record that does not exist.
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
      // A dry run reveals nothing and so emits no event about it: it is a preview of the request with `reveal=false`.
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

/** What terms of a contract add to its query: no endpoint sees it. */
interface ByTerms {
  dryRun?: boolean;
  appKey?: string;
  acctId?: string;
}

const takesMore = (contract: Contract): boolean => takesDryRun(contract) || contract.applicant === true;

/** What `run` returns, or the ApiError that it throws. */
function attempt(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** A query as an object; a parameter that is repeated becomes an array. */
function readQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    query[name] = before === undefined ? value : [before, value].flat();
  }
  return query;
}
