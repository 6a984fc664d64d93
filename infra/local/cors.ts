import { corsRules } from '../cors-rules.ts';

/** The headers that let a page of this origin read a response; none for an origin that is not on the list. */
export function corsHeaders(
  allowedOrigins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  if (origin === undefined || !allowedOrigins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': corsRules.responseHeaders.join(','),
    vary: 'origin',
  };
}

/** The headers of the response to a browser's preflight. */
export function preflightHeaders(
  allowedOrigins: readonly string[],
  origin: string | undefined,
): Record<string, string> {
  const granted = corsHeaders(allowedOrigins, origin);
  if (Object.keys(granted).length === 0) return {};
  return {
    ...granted,
    'access-control-allow-methods': corsRules.methods.join(','),
    'access-control-allow-headers': corsRules.requestHeaders.join(','),
    'access-control-max-age': String(corsRules.maxAgeSeconds),
  };
}
