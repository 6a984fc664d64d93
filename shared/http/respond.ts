import { errorReply, refusalFor } from './reply.ts';
import type { Passing } from './turn.ts';

/** Headers of every answer. A year of HSTS, as browsers' preload lists ask for. */
const always = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
};

/** Turns a failure into the Error object and gives every answer the headers that all answers have. */
export function respond() {
  const complete = (request: Passing) => {
    if (!request.response) return;
    request.response.headers = {
      ...always,
      'x-request-id': request.context.turn?.requestId ?? request.event.requestContext.requestId,
      ...request.response.headers,
    };
  };
  return {
    after: complete,
    onError(request: Passing) {
      request.response = errorReply(refusalFor(request.error));
      complete(request);
    },
  };
}
