import type { HttpResponse } from '../endpoints/response.ts';
import { ApiError, type ErrorCode, statusOf } from '../errors.ts';

/** The detail codes of SCIM errors (RFC 7644, 3.12), each with the code of our catalogue. */
const codes = {
  invalidFilter: 'scim_filter_invalid',
  invalidPath: 'scim_path_invalid',
  invalidValue: 'scim_value_invalid',
  mutability: 'scim_attribute_fixed',
  noTarget: 'scim_target_missing',
  uniqueness: 'scim_not_unique',
} as const satisfies Record<string, ErrorCode>;

type ScimType = keyof typeof codes;

/** An error with a detail code of SCIM. `message` is a sentence for the administrator of the identity provider. */
export const scimError = (type: ScimType, message: string): ApiError =>
  new ApiError(codes[type], { message });

const typeOfCode: Readonly<Partial<Record<ErrorCode, ScimType | 'invalidSyntax'>>> = {
  ...Object.fromEntries(Object.entries(codes).map(([type, code]) => [code, type])),
  invalid_json: 'invalidSyntax',
  invalid_input: 'invalidValue',
  email_exists: 'uniqueness',
  already_member: 'uniqueness',
  role_name_taken: 'uniqueness',
};

/** These errors have other statuses in SCIM, whose clients repair a conflict by a search. */
const statusInScim: Readonly<Partial<Record<ErrorCode, number>>> = {
  email_exists: 409,
  already_member: 409,
  role_name_taken: 409,
  last_administrator: 409,
};

export const isScimPath = (path: string): boolean => path.startsWith('/scim/v2/');

/** Parts of SCIM that the service does not have: searches by POST, bulk requests, and the caller's own user. */
const optionalPaths = /\/(?:\.search|Bulk|Me)$/;

/** Returns the response of an error in SCIM's format (RFC 7644, 3.12). */
export function scimErrorResponse(
  { code, message, details = [], headers }: ApiError,
  path: string,
): HttpResponse {
  const isMissing = (code === 'route_not_found' || code === 'method_not_allowed') && optionalPaths.test(path);
  const status = isMissing ? 501 : (statusInScim[code] ?? statusOf(code));
  const scimType = typeOfCode[code];
  const invalid = details.map((one) => `${one.field}: ${one.message}.`);
  const detail = code === 'invalid_input' && invalid.length > 0 ? invalid.join(' ') : message;
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/scim+json; charset=utf-8',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...headers,
    },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(scimType && { scimType }),
      detail,
    }),
  };
}
