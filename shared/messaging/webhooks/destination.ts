import { BlockList, isIP } from 'node:net';
import type { FieldError } from '../../errors.ts';
import { parsedUrl } from '../../formats.ts';

/** IPv4 blocks that are not public: the special-purpose addresses of IANA's registry, and the host address of Azure. */
const special4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
/**
 * The non-public blocks in 2000::/3, the only allocated IPv6 block: protocol assignments (including Teredo),
 * documentation, AS 112, and 6to4. A 6to4 address contains an IPv4 address, which may be private.
 */
const special6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20';

function blockListOf(blocks: string): BlockList {
  const list = new BlockList();
  for (const block of blocks.trim().split(/\s+/)) {
    const [address = '', bits] = block.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
const special = blockListOf(`${special4} ${special6}`);
const allocated = blockListOf('2000::/3');

/** Reports whether an address is public. IPv6 addresses must be in 2000::/3, which excludes IPv4-mapped addresses. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && allocated.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Names that are never public: RFC 6761, 6762, 7686 and 8375, and ICANN's `internal`. */
const privateName = /(^|\.)(localhost|local|internal|home\.arpa|onion)$/;

const isLocalStage = (): boolean => process.env.STAGE === 'local';

/** The normalized destination of a webhook, without a dot at the end of the name. */
export interface Destination {
  url: URL;
  /** A name, or an address without brackets. */
  host: string;
  port: number;
}

/** Parses the URL of a webhook; returns undefined if the text is not an HTTP or HTTPS URL. */
export function destinationOf(text: string): Destination | undefined {
  const url = parsedUrl(text);
  if (!url) return undefined;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { url, host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

/** Returns the loopback addresses of a destination; undefined if its host is not a loopback name or address. */
export function loopbackOf({ host }: Destination): string[] | undefined {
  if (/(^|\.)localhost$/.test(host)) return ['127.0.0.1', '::1'];
  return (isIP(host) === 4 && host.startsWith('127.')) || host === '::1' ? [host] : undefined;
}

/** The local port of Lambda's runtime API. */
const runtimePort = (): number | undefined => {
  const [, port] = /:(\d+)$/.exec(process.env.AWS_LAMBDA_RUNTIME_API ?? '') ?? [];
  return port === undefined ? undefined : Number(port);
};

/**
 * Validates the URL of a webhook, to prevent server-side request forgery. The addresses of a name are validated on
 * each delivery attempt. Only the stage `local` allows loopback hosts. Loopback hosts may use http and any port
 * except the port of Lambda's runtime API.
 */
export function validateUrl(text: string): FieldError[] {
  const destination = destinationOf(text);
  const messages = destination
    ? [...destinationFaults(destination), ...(text.includes('#') ? ['must not contain a fragment'] : [])]
    : ['must be an https URL'];
  return messages.map((message) => ({ field: 'url', message }));
}

export function destinationFaults(destination: Destination): string[] {
  const { url, host, port } = destination;
  const credentials =
    url.username === '' && url.password === '' ? [] : ['must not contain a user name or password'];
  if (isLocalStage() && loopbackOf(destination))
    return port === runtimePort()
      ? [...credentials, 'must use another port: Lambda uses this port']
      : credentials;
  return [
    ...credentials,
    ...(url.protocol === 'https:' ? [] : ['must be an https URL']),
    ...(port === 443 || url.protocol !== 'https:' ? [] : ['must use port 443']),
    ...(isReachable(host) ? [] : ['must have a public host']),
  ];
}

const isReachable = (host: string): boolean =>
  isIP(host) ? isPublicAddress(host) : host.includes('.') && !privateName.test(host);
