import { errorResponse, toApiError } from '../endpoints/response.ts';
import type { MiddyRequest } from './request-context.ts';

/** Headers of every response. HSTS lasts one year, as browsers' preload lists require. */
const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/** Turns errors into error responses and adds the common headers. */
export function completeResponse() {
  const complete = (request: MiddyRequest) => {
    if (!request.response) return;
    request.response.headers = {
      ...always,
      'x-request-id': request.context.requestContext?.requestId ?? request.event.requestContext.requestId,
      ...request.response.headers,
    };
  };
  return {
    after: complete,
    onError(request: MiddyRequest) {
      request.response = errorResponse(toApiError(request.error));
      complete(request);
    },
  };
}
