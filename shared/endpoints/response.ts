import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ApiError, busy, statusOf } from '../errors.ts';
import { isTransient } from '../table/retries.ts';

/** A response in API Gateway's format, always with status, headers and body. */
export type HttpResponse = APIGatewayProxyStructuredResultV2 & {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
};

/** The ETag header of a record version. */
export const etagOf = ({ version }: { version: number }): { etag: string } => ({ etag: `"${version}"` });

/** A JSON response. If the response has a version, the version is also the ETag. */
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
    body: response === undefined ? '' : JSON.stringify(response),
  };
}

export function errorResponse(
  { code, message, details, stepUp, headers }: ApiError,
  requestId: string,
): HttpResponse {
  const status = statusOf(code);
  // RFC 9110, 15.5.2: a response with status 401 must name an authentication scheme.
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const body = {
    error: code,
    status,
    message,
    ...(details && { details }),
    ...(stepUp && { stepUp }),
    requestId,
  };
  return jsonResponse(status, body, { ...challenge, ...headers });
}

/**
 * Converts any error to an ApiError. A transient AWS error is thrown only if all retries have failed, so it
 * becomes `busy`. Other errors become `internal_error`, without details.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTransient(error)) return busy(error.name);
  return new ApiError('internal_error');
}
