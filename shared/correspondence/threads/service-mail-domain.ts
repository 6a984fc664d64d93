import { ApiError } from '../../errors.ts';

/** The service's own domain for inbound addresses and reply addresses; undefined if the stage has none. */
export function serviceMailDomain(): string | undefined {
  const { MAIL_DOMAIN } = process.env;
  return MAIL_DOMAIN ? MAIL_DOMAIN : undefined;
}

/** Returns the service's own mail domain. Throws `mail_unavailable` if the stage has none. */
export function requireServiceMailDomain(): string {
  const domain = serviceMailDomain();
  if (domain === undefined) throw new ApiError('mail_unavailable');
  return domain;
}
