import { randomBytes } from 'node:crypto';
import { ApiError, invalid } from '../../errors.ts';
import type { EventDraft } from '../../events/envelope.ts';
import { unnamedChange } from '../../events/unnamed-change.ts';
import type { AccountId } from '../../id/account-id.ts';
import { uniqueIdOf } from '../../id/unique-id.ts';
import { teams } from '../../people/teams/store.ts';
import type { Happening } from '../../resources/registry.ts';
import { requireTicketType } from '../../support/ticket-types/require-ticket-type.ts';
import { inParallel } from '../../table/in-parallel.ts';
import { newRecord } from '../../table/record-fields.ts';
import { type Authored, revise } from '../../table/revise.ts';
import { isHeld, mailDomains } from '../domains/store.ts';
import { base32 } from '../threads/base32.ts';
import { inboundSecretLength } from '../threads/thread-token.ts';
import type { MailAddressInput, MailAddressPatch, StoredMailAddress } from './schema.ts';

/** The records to which a mail address refers, with canonical ids. */
interface AddressReferences {
  ticketTypeId?: string;
}

/**
 * Checks the records to which a body refers. Throws `ticket_type_unknown`, `team_unknown`, and for a new `address`
 * `mail_domain_not_proved`.
 */
export async function requireReferences(
  account: AccountId,
  { ticketTypeId, teamId }: MailAddressPatch,
  address?: string,
): Promise<AddressReferences> {
  const [type] = await inParallel([
    typeof ticketTypeId === 'string' ? requireTicketType(account, 'ticketTypeId', ticketTypeId) : undefined,
    teams.requireActive(account, teamId),
    address === undefined ? undefined : requireOwnDomain(account, address),
  ]);
  return type ? { ticketTypeId: uniqueIdOf('tty', type.id) } : {};
}

/** Omits unchanged references, so that an unchanged reference to an inactive record is accepted. */
export const changedReferences = (
  before: StoredMailAddress,
  { ticketTypeId, teamId }: MailAddressPatch,
): MailAddressPatch => ({
  ...(ticketTypeId !== before.ticketTypeId && { ticketTypeId }),
  ...(teamId !== before.teamId && { teamId }),
});

/** Throws `mail_domain_not_proved` unless the account holds the domain of an address. */
async function requireOwnDomain(account: AccountId, address: string): Promise<void> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const found = await mailDomains.findNamed(account, domain);
  if (!found || !isHeld(found)) throw new ApiError('mail_domain_not_proved');
}

/** Returns a new mail address with a random inbound address. Throws `invalid_input`. */
export function newMailAddress(
  request: Authored & { account: AccountId; body: MailAddressInput },
  references: AddressReferences,
): StoredMailAddress {
  const address: StoredMailAddress = {
    ...newRecord(request),
    ...request.body,
    ...references,
    inboundSecret: base32(randomBytes(inboundSecretLength)),
  };
  checkPurpose(address);
  return address;
}

/** Applies a patch. Throws `invalid_input`. */
export function changeMailAddress(
  before: StoredMailAddress,
  request: Authored & { body: MailAddressPatch },
  references: AddressReferences,
): StoredMailAddress {
  const after = revise(before, { ...request.body, ...references }, request);
  checkPurpose(after);
  return after;
}

/** A lead has no ticket type. */
function checkPurpose({ purpose, ticketTypeId }: StoredMailAddress): void {
  if (purpose === 'leads' && ticketTypeId !== undefined)
    throw invalid('ticketTypeId', 'is only for addresses with the purpose tickets');
}

/** Returns the event of a change of a mail address. */
export const mailAddressChanged = (
  happening: Extract<Happening, `mail_address_${string}`>,
  { accountId, id, address, purpose, ticketTypeId, teamId, autoReply }: StoredMailAddress,
): EventDraft[] =>
  unnamedChange(
    accountId,
    happening,
    { id },
    { address, purpose, automaticReply: autoReply !== undefined, ticketTypeId, teamId },
  );
