import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { Happening } from '../../resources/registry.ts';
import type { StoredMailDomain } from './schema.ts';

/** The name of the task in events about mail domains that the service itself changed. */
export const mailDomainTask = 'check_mail_domain';

/** Returns the event of a change of a mail domain. */
export const mailDomainChanged = (
  happening: Extract<Happening, `mail_domain_${string}`>,
  { accountId, id, domain, status }: StoredMailDomain,
): EventDraft[] => unnamedChange(accountId, happening, { id }, { domain, status });
