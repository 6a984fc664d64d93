import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { busy, Refusal, statusOf } from './errors.ts';

/** An answer as API Gateway takes it, always with headers. */
export type Reply = APIGatewayProxyStructuredResultV2 & {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
};

/** An answer in JSON; its ETag is the version of the record it shows. */
export function jsonReply(statusCode: number, answer: unknown, headers: Record<string, string> = {}): Reply {
  const version = (answer as { version?: unknown } | null)?.version;
  return {
    statusCode,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(typeof version === 'number' && { etag: `"${version}"` }),
      ...headers,
    },
    body: JSON.stringify(answer),
  };
}

/** A refusal as the Error object. Interface, "Errors". */
export function errorReply({ code, message, details, headers }: Refusal): Reply {
  const status = statusOf(code);
  // RFC 9110, 15.5.2: a 401 always says how to sign in.
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const body = { error: code, status, message, ...(details && { details }) };
  return jsonReply(status, body, { ...challenge, ...headers });
}

/** DynamoDB had no room for the request, however often it was tried. */
const throttled = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TransactionInProgressException',
]);

/** What a failure is answered with: a refusal as it stands, a throttle as `busy`, anything else opaque. */
export function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && throttled.has(error.name)) return busy();
  return new Refusal('internal_error');
}
