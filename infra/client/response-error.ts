import type { components } from './api.d.ts';

type Schemas = components['schemas'];

/** Every code that the API returns in `error`. */
export type ErrorResponseCode = Extract<
  Schemas[keyof Schemas],
  { error: string; requestId: string }
>['error'];

interface ErrorResponseBody {
  error?: ErrorResponseCode;
  message?: string;
  requestId?: string;
  details?: Schemas['ErrorDetail'][];
}

/** An error response of the API. If a proxy returned the response, `code` is `unexpected_response`. */
export class ResponseError extends Error {
  override readonly name = 'ResponseError';
  readonly code: ErrorResponseCode | 'unexpected_response';
  /** The HTTP status. */
  readonly status: number;
  /** The id of the request. Include it in error reports. */
  readonly requestId: string | undefined;
  /** The invalid fields of the request. Empty if the error is not about fields. */
  readonly details: readonly Schemas['ErrorDetail'][];
  /** The HTTP response, whose body has already been read. */
  readonly response: Response;

  constructor(response: Response, { error, message, requestId, details = [] }: ErrorResponseBody) {
    super(message ?? `The response has the status ${response.status} and is not an error of the API.`);
    this.code = error ?? 'unexpected_response';
    this.status = response.status;
    this.requestId = requestId ?? response.headers.get('x-request-id') ?? undefined;
    this.details = details;
    this.response = response;
  }
}

/** Reads an error response. */
export async function responseErrorOf(response: Response): Promise<ResponseError> {
  const body: unknown = await response.json().catch(() => undefined);
  return new ResponseError(response, isErrorBody(body) ? body : {});
}

const isErrorBody = (body: unknown): body is ErrorResponseBody =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';
