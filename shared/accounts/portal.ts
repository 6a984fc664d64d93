import { isWebAddress } from '../formats.ts';

/** The settings of an account that determine the address of its portal. */
export interface PortalSettings {
  portalUrl?: string | null;
  /** The active vanity domain. It replaces the host of `portalUrl`. */
  vanityDomain?: string | null;
}

/**
 * Returns the base address of the links to an account's portal, without a slash at the end. Returns undefined if the
 * account has neither a vanity domain nor a portal, or if a browser cannot open the stored address.
 */
export function portalOf({ portalUrl, vanityDomain }: PortalSettings): string | undefined {
  const portal = portalUrl && isWebAddress(portalUrl) ? portalUrl : undefined;
  const path = portal && vanityDomain ? new URL(portal).pathname : '';
  const address = vanityDomain ? `https://${vanityDomain}${path}` : portal;
  return address?.replace(/\/+$/, '');
}
