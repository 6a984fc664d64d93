import { ApiError } from '../errors.ts';

/** The site to which passkeys belong. A browser uses a passkey only on pages of its site (WebAuthn, "RP ID"). */
export interface RelyingParty {
  /** A domain. Pages at the domain, and at domains below it, can use its passkeys. */
  id: string;
  /** Reports whether a page of this origin may create or use a passkey. */
  accepts(origin: string): boolean;
}

/** At a laptop, pages may have any port, because the local service and the portals have different ports. */
const local = /^http:\/\/localhost(:\d{1,5})?$/;

/** Returns the site in the settings of the stage. Undefined if the stage has none. */
export function configuredParty(): RelyingParty | undefined {
  const { PASSKEY_DOMAIN: id, PASSKEY_ORIGINS = '' } = process.env;
  if (id === undefined) return undefined;
  const origins = new Set(PASSKEY_ORIGINS.split(' '));
  return { id, accepts: (origin) => origins.has(origin) || (id === 'localhost' && local.test(origin)) };
}

/** Returns the site. Throws `passkeys_unavailable` if the stage has none. */
export function relyingParty(): RelyingParty {
  const party = configuredParty();
  if (!party) throw new ApiError('passkeys_unavailable');
  return party;
}
