import { apiVersion } from '../api-version.ts';
import { errorResponse, toApiError } from '../endpoints/response.ts';
import { isScimPath, scimErrorResponse } from '../provisioning/scim-failure.ts';
import type { MiddyRequest, RateLimit } from './steps.ts';

/** Headers of every response. HSTS lasts one year, as browsers' preload lists require. */
const always = {
  'x-api-version': apiVersion,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/** The headers of draft-ietf-httpapi-ratelimit-headers-06. */
const rateLimitHeaders = ({ limit, calls, secondsLeft }: RateLimit): Record<string, string> => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(Math.max(0, limit - calls)),
  'ratelimit-reset': String(secondsLeft),
});

/** Turns errors into error responses and adds the common headers. */
export function completeResponse() {
  const complete = (request: MiddyRequest) => {
    if (!request.response) return;
    const { rateLimit } = request.context.received?.progress ?? {};
    request.response.headers = {
      ...always,
      'x-request-id': request.event.requestContext.requestId,
      ...(rateLimit && rateLimitHeaders(rateLimit)),
      ...request.response.headers,
    };
  };
  return {
    after: complete,
    onError(request: MiddyRequest) {
      const error = toApiError(request.error);
      const { rawPath, requestContext } = request.event;
      request.response = isScimPath(rawPath)
        ? scimErrorResponse(error, rawPath)
        : errorResponse(error, requestContext.requestId);
      complete(request);
    },
  };
}
