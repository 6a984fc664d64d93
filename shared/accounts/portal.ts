import { isWebAddress } from '../formats.ts';

/** The settings of an account that determine the address of its portal. */
export interface PortalSettings {
  portalUrl?: string | null;
  /** The active vanity domain. It replaces the host of `portalUrl`. */
  vanityDomain?: string | null;
}

/**
 * An IPv6 address in brackets, or a name that DNS can contain, or an IPv4 address: labels of letters, digits, hyphens and
 * underscores. Browsers also accept hosts such as `-` and `a..b`, which never resolve.
 */
const resolvableHost =
  /^(?:\[[\da-f:.]+\]|(?=.{1,253}$)(?:[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?\.)*[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.?)$/;

/** Reports whether links can begin with a URL: browsers can open it, and its host can exist. */
export const isPortalAddress = (url: string): boolean =>
  isWebAddress(url) && resolvableHost.test(new URL(url).hostname);

/**
 * Returns the base address of the links to an account's portal, without a slash at the end. Returns undefined if the
 * account has neither a vanity domain nor a portal, or if links cannot begin with the stored address.
 */
export function portalOf({ portalUrl, vanityDomain }: PortalSettings): string | undefined {
  const portal = portalUrl && isPortalAddress(portalUrl) ? portalUrl : undefined;
  const path = portal && vanityDomain ? new URL(portal).pathname : '';
  const address = vanityDomain ? `https://${vanityDomain}${path}` : portal;
  return address?.replace(/\/+$/, '');
}
