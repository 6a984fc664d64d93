import { BlockList, isIP } from 'node:net';
import type { FieldError } from '../../errors.ts';

/** Blocks of IPv4 that are nobody's on the public internet: IANA's registry of special addresses, and Azure's host. */
const special4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
/**
 * Blocks of 2000::/3, the only part of IPv6 that is given out, that are special all the same: the protocols' own with
 * Teredo, documentation, 6to4, whose addresses hold one of IPv4, and AS 112.
 */
const special6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [block, bits] of special4) special.addSubnet(block, bits, 'ipv4');
for (const [block, bits] of special6) special.addSubnet(block, bits, 'ipv6');
const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address is one of the public internet. IPv6 goes by what is given out, so that mapped, translated and
 * local addresses are none.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && givenOut.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** Names that no public server answers for: RFC 6761, 6762, 7686 and 8375, and ICANN's `internal`. */
const privateName = /(^|\.)(localhost|local|internal|home\.arpa|onion)$/;

const isLocalStage = (): boolean => process.env.STAGE === 'local';

/** Where a webhook goes, in the one spelling that everything after it uses: no dot at the end of a name. */
export interface Destination {
  url: URL;
  /** A name, or an address without brackets. */
  host: string;
  port: number;
}

/** The destination in a text, or undefined where it is no URL that has one. */
export function destinationOf(text: string): Destination | undefined {
  const url = parsed(text);
  if (!url) return undefined;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { url, host, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) };
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Where a destination on this machine is, by its addresses; undefined: it is not on this machine by its own word. */
export function loopbackOf({ host }: Destination): string[] | undefined {
  if (/(^|\.)localhost$/.test(host)) return ['127.0.0.1', '::1'];
  return (isIP(host) === 4 && host.startsWith('127.')) || host === '::1' ? [host] : undefined;
}

/** The port of this machine on which Lambda hands a function its events. */
const runtimePort = (): number | undefined => {
  const [, port] = /:(\d+)$/.exec(process.env.AWS_LAMBDA_RUNTIME_API ?? '') ?? [];
  return port === undefined ? undefined : Number(port);
};

/**
 * What is wrong with the URL of a webhook, as far as the URL tells; none: nothing is. What a name stands for is judged on
 * each attempt. Only the stage `local` lets one go to this machine, there also by http and on any port but that of Lambda
 * itself.
 */
export function validateUrl(text: string): FieldError[] {
  const destination = destinationOf(text);
  const messages = destination ? faultsOf(destination) : ['Send an https URL.'];
  return messages.map((message) => ({ field: 'url', message }));
}

/** What is wrong with a destination, in a sentence for each fault. */
export function faultsOf(destination: Destination): string[] {
  const { url, host, port } = destination;
  const credentials =
    url.username === '' && url.password === '' ? [] : ['Leave user name and password out of the URL.'];
  if (isLocalStage() && loopbackOf(destination))
    return port === runtimePort() ? [...credentials, 'This port is Lambda’s own.'] : credentials;
  return [
    ...credentials,
    ...(url.protocol === 'https:' ? [] : ['Send an https URL.']),
    ...(port === 443 || url.protocol !== 'https:' ? [] : ['Use port 443.']),
    ...(isReachable(host) ? [] : ['Name a host of the public internet.']),
  ];
}

const isReachable = (host: string): boolean =>
  isIP(host) ? isPublicAddress(host) : host.includes('.') && !privateName.test(host);
