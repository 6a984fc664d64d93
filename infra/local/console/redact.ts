import { REDACTED } from '../../../shared/security/merge-fields.ts';

/**
 * The names of fields whose values the console never shows: the sensitive values and credentials of all contracts, and
 * passwords. A test compares the names with the contracts.
 */
const secretName =
  /password|secret|token|appKey|^(challenge|code|codeVerifier|privateKey|recoveryCodes|uri|fileContent|dbaTaxId|bankAccount|socialSecurityNumber|driversLicenseNumber|dateOfBirth|ssn|accountNumber)$/i;
const secretHeader =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|x-api-secret|x-step-up-token|x-console-token)$/i;

export const isSecretName = (name: string): boolean => secretName.test(name);

/** Formats JSON without its secret values. Text that is not JSON is not shown, because its content is unknown. */
export function redactedJson(text: string): string {
  try {
    return JSON.stringify(redacted(JSON.parse(text)), null, 2);
  } catch {
    return `${text.length} characters that are not JSON`;
  }
}

/** Replaces the secret values in a JSON value, at any depth. */
export function redacted(value: unknown): unknown {
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

/** The names of URL parameters with secret values, such as the signature in a link to a file. */
const secretParameter = /appKey|token|secret|password|signature|credential/i;

/** Replaces the values of secret parameters and the passwords in all URLs of a text. */
export const redactedUrl = (text: string): string =>
  text
    .replace(/([?&])([^=&?#\s]+)=[^&#\s]*/g, (whole, start, name) =>
      secretParameter.test(decoded(name)) ? `${start}${name}=${REDACTED}` : whole,
    )
    .replace(/(:\/\/[^\s/@:?#]*):[^\s/@?#]*@/g, `$1:${REDACTED}@`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const redactedHeaders = (headers: readonly (readonly [string, string])[]): [string, string][] =>
  headers.map(([name, value]) => [name, secretHeader.test(name) ? REDACTED : redactedUrl(value)]);
