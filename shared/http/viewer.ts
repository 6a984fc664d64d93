import { isIP } from 'node:net';
import type { HttpEvent } from './steps.ts';

/** The headers in which the front sends the address and the host of the original request. */
export const viewerHeaders = { address: 'x-viewer-address', host: 'x-viewer-host' } as const;

type Headers = Record<string, string | undefined>;

/**
 * Returns the client's IP address, and the request's headers with the host that the client called. Behind a front, which
 * is CloudFront or another API, the gateway knows only the address of the front. The headers of the front are used only if
 * the authorizer has proved that the request came from the front. Otherwise, any client could choose its address.
 */
export function viewerOf(
  { requestContext }: HttpEvent,
  headers: Headers,
): { ipAddress: string; headers: Headers } {
  const { sourceIp } = requestContext.http;
  if (requestContext.authorizer?.lambda?.throughFront !== true) return { ipAddress: sourceIp, headers };
  const address = headers[viewerHeaders.address] ?? '';
  return {
    ipAddress: isIP(address) ? address : sourceIp,
    headers: { ...headers, host: headers[viewerHeaders.host] },
  };
}
