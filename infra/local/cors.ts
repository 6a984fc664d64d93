import { corsRules } from '../cors-rules.ts';

/** The methods and headers that pages of allowed origins may use. */
interface CorsRules {
  methods: readonly string[];
  requestHeaders: readonly string[];
  responseHeaders: readonly string[];
  maxAgeSeconds: number;
}

/** The headers that let a page of this origin read a response. Empty if the origin is not allowed. */
export function corsHeaders(
  allowedOrigins: readonly string[],
  origin: string | undefined,
  rules: CorsRules = corsRules,
): Record<string, string> {
  if (origin === undefined || !allowedOrigins.includes(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': rules.responseHeaders.join(','),
    vary: 'origin',
  };
}

/** The headers of the response to a preflight request. Empty if the origin is not allowed. */
export function preflightHeaders(
  allowedOrigins: readonly string[],
  origin: string | undefined,
  rules: CorsRules = corsRules,
): Record<string, string> {
  const granted = corsHeaders(allowedOrigins, origin, rules);
  if (Object.keys(granted).length === 0) return {};
  return {
    ...granted,
    'access-control-allow-methods': rules.methods.join(','),
    'access-control-allow-headers': rules.requestHeaders.join(','),
    'access-control-max-age': String(rules.maxAgeSeconds),
  };
}
