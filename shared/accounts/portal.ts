import { isWebAddress } from '../formats.ts';

/**
 * Returns the base address of the links to an account's portal, without a slash at the end. Returns undefined if the
 * account has no portal, or if a browser cannot open the stored address.
 */
export const portalOf = ({ portalUrl }: { portalUrl?: string | null }): string | undefined =>
  portalUrl && isWebAddress(portalUrl) ? portalUrl.replace(/\/+$/, '') : undefined;
