import { REDACTED } from '../../../shared/security/merge-fields.ts';

/**
 * The names of fields whose values the console never shows: the sensitive values and credentials of all contracts, and
 * passwords. A test compares the names with the contracts.
 */
const secretName =
  /password|secret|token|appKey|^(dbaTaxId|bankAccount|socialSecurityNumber|driversLicenseNumber|dateOfBirth|ssn|accountNumber)$/i;
const secretHeader = /^(authorization|cookie|set-cookie|x-api-key|x-api-secret|x-console-token)$/i;

export const isSecretName = (name: string): boolean => secretName.test(name);

/** Replaces the secret values in a body. A body that is not JSON is not shown, because its content is unknown. */
export function redactedBody(body: Buffer, contentType: string, limit: number): string {
  if (body.length === 0) return '';
  if (!/json/.test(contentType)) return `${body.length} bytes of ${contentType || 'unknown type'}`;
  try {
    const text = JSON.stringify(redacted(JSON.parse(body.toString())), null, 2);
    return text.length > limit ? `${text.slice(0, limit)}\n… ${text.length - limit} more characters` : text;
  } catch {
    return `${body.length} bytes that are not JSON`;
  }
}

function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value === 'string') return redactedUrl(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && inner !== null && typeof inner !== 'boolean' ? REDACTED : redacted(inner),
    ]),
  );
}

/** Replaces the values of secret parameters, such as `appKey` and the signatures of links to files. */
export const redactedUrl = (text: string): string =>
  text.replace(
    /([?&])([^=&?#]*(?:appKey|token|secret|password|signature|credential)[^=&]*)=[^&#\s]*/gi,
    `$1$2=${REDACTED}`,
  );

export const redactedHeaders = (headers: readonly (readonly [string, string])[]): [string, string][] =>
  headers.map(([name, value]) => [name, secretHeader.test(name) ? REDACTED : redactedUrl(value)]);
