import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Match, matchRoute } from '../../shared/endpoints/routes.ts';

interface HttpRequest {
  method: string;
  /** Path and query, percent-encoded. */
  target: string;
  /** Alternating names and values, like Node's `rawHeaders`. */
  headers: readonly string[];
  body: Buffer;
  sourceIp: string;
}

interface Route {
  method: string;
  path: string;
}

/** Returns the route that API Gateway would choose: `$default` if no other route matches. */
export function routeFor<R extends Route>(
  routes: readonly R[],
  method: string,
  target: string,
): Match<R> | undefined {
  const match = matchRoute(routes, method, splitTarget(target).path);
  if (match) return match;
  const route = routes.find(({ path }) => path === '$default');
  return route && { route, params: {} };
}

/** The event that API Gateway's HTTP API sends to a Lambda: payload format 2.0. */
export function toHttpEvent(
  request: HttpRequest,
  { route, params }: Match<Route>,
  now = new Date(),
): APIGatewayProxyEventV2 {
  const { path, query } = splitTarget(request.target);
  const { headers, cookies } = readHeaders(request.headers);
  const routeKey = route.path === '$default' ? '$default' : `${route.method} ${route.path}`;
  const domainName = headers.host?.replace(/:\d+$/, '') ?? 'localhost';
  const text = isUtf8(request.body);
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 ? { cookies } : {}),
    headers,
    ...(query === '' ? {} : { queryStringParameters: readQuery(query) }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0] ?? domainName,
      http: {
        method: request.method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: clfTime(now),
      timeEpoch: now.getTime(),
    },
    ...(Object.keys(params).length > 0 ? { pathParameters: params } : {}),
    ...(request.body.length > 0 ? { body: request.body.toString(text ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: !text,
  };
}

/**
 * Splits a request's target into path and query. Removes the origin, which some proxies send in the target. Like an HTTP
 * API, decodes the path before a route is chosen: an encoded slash separates segments, and the path ends at an encoded
 * question mark. Source: the events that an HTTP API sent, in github.com/hotsock/voker/pull/8. A path with invalid
 * percent-encoding stays unchanged, so that validation rejects it.
 */
function splitTarget(target: string): { path: string; query: string } {
  const [, relative = target] = /^https?:\/\/[^/?]*(.*)$/i.exec(target) ?? [];
  const at = relative.indexOf('?');
  const [path] = decoded(at < 0 ? relative : relative.slice(0, at)).split('?');
  return { path: path || '/', query: at < 0 ? '' : relative.slice(at + 1) };
}

/** As in payload 2.0, names are in lower case, commas join repeated headers, and cookies are a separate list. */
function readHeaders(raw: readonly string[]): { headers: Record<string, string>; cookies: string[] } {
  const headers = new Map<string, string>();
  const cookies: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [String(raw[at]).toLowerCase(), String(raw[at + 1])];
    if (name === 'cookie') cookies.push(...value.split(/;\s*/).filter((cookie) => cookie !== ''));
    else headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value);
  }
  return { headers: Object.fromEntries(headers), cookies };
}

function readQuery(query: string): Record<string, string> {
  const values = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query))
    values.set(name, values.has(name) ? `${values.get(name)},${value}` : value);
  return Object.fromEntries(values);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Formats a time, for example `12/Mar/2020:19:03:58 +0000`. */
function clfTime(now: Date): string {
  const [, day, month, year, time] = /(\d\d) (\w+) (\d+) ([\d:]+)/.exec(now.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}
