import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { ApiError, busy, statusOf } from '../errors.ts';
import { isTransient } from '../table/retries.ts';

/** A response as API Gateway takes it, always with headers. */
export type HttpResponse = APIGatewayProxyStructuredResultV2 & {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
};

/** The ETag header of a record version. */
export const etagOf = ({ version }: { version: number }): { etag: string } => ({ etag: `"${version}"` });

/** A JSON response. Its ETag is the version of the record, if any. */
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

/** An ApiError as an Error object. */
export function errorResponse({ code, message, details, headers }: ApiError): HttpResponse {
  const status = statusOf(code);
  // RFC 9110, 15.5.2: a 401 must name an authentication scheme.
  const challenge: Record<string, string> = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  const body = { error: code, status, message, ...(details && { details }) };
  return jsonResponse(status, body, { ...challenge, ...headers });
}

/**
 * The ApiError for any error: a transient AWS error is `busy` once its retries are exhausted; others hide their
 * details.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isTransient(error)) return busy(error.name);
  return new ApiError('internal_error');
}
