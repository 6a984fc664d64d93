import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ApiError, busy, statusOf } from '../errors.ts';
import { isTransient } from '../table/retries.ts';

/** A response as API Gateway takes it, always with headers. */
export type HttpResponse = APIGatewayProxyStructuredResultV2 & {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
};

/** The header that says which version of a record a response shows. */
export const etagOf = ({ version }: { version: number }): { etag: string } => ({ etag: `"${version}"` });

/** A response in JSON; its ETag is the version of the record it shows. */
export function jsonResponse(
  statusCode: number,
  response: unknown,
  headers: Record<string, string> = {},
): HttpResponse {
  const version = (response as { version?: unknown } | null)?.version;
  return {
    statusCode,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(typeof version === 'number' && etagOf({ version })),
      ...headers,
    },
    body: JSON.stringify(response),
  };
}

/** An ApiError as the Error object. Interface, "Errors". */
export function errorResponse({ code, message, details, headers }: ApiError): HttpResponse {
  const status = statusOf(code);
  // RFC 9110, 15.5.2: a 401 always says how to sign in.
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const body = { error: code, status, message, ...(details && { details }) };
  return jsonResponse(status, body, { ...challenge, ...headers });
}

/**
 * The response to an error: an ApiError as it is, a transient error of AWS as `busy` once its retries are exhausted, anything
 * else without its details.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTransient(error)) return busy(error.name);
  return new ApiError('internal_error');
}
