import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeEach } from 'vitest';
import updateAccount from '../../functions/accounts/update-account.ts';
import createTicket from '../../functions/tickets/create-ticket.ts';
import type { StoredMailAddress } from '../../shared/correspondence/addresses/schema.ts';
import { mailAddresses } from '../../shared/correspondence/addresses/store.ts';
import type { StoredMail } from '../../shared/correspondence/mails/schema.ts';
import { mails } from '../../shared/correspondence/mails/store.ts';
import { base32 } from '../../shared/correspondence/threads/base32.ts';
import { newRecord } from '../../shared/table/record-fields.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import { transact } from '../../shared/table/transact.ts';
import { clock } from '../harness/clock.ts';
import { type Tenant, tenant } from '../harness/tenant.ts';
import { watchWire } from '../harness/wire.ts';
import { verifyDomainOf } from './verified-domain.ts';

/** A mail that SES accepted: its recipient, its tags, and the message as the recipient reads it. */
export interface SentMail {
  to: string;
  tags: Record<string, string>;
  raw: Buffer;
  providerId: string;
}

interface SesInput {
  Destination?: { ToAddresses?: string[] };
  Content?: { Raw?: { Data: string } };
  EmailTags?: { Name: string; Value: string }[];
}

/** Records the mails to customers that SES accepts, from the last test on. Returns them, oldest first. */
export function acceptedMails(): SentMail[] {
  const sent: SentMail[] = [];
  afterAll(
    watchWire({
      done({ service, status, input, output }) {
        const { Destination, Content, EmailTags = [] } = input as SesInput;
        if (service !== 'ses' || status !== 200 || !Content?.Raw) return;
        sent.push({
          to: Destination?.ToAddresses?.join() ?? '',
          tags: Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, Value])),
          raw: Buffer.from(Content.Raw.Data, 'base64'),
          providerId: String(output.MessageId),
        });
      },
    }),
  );
  beforeEach(() => void sent.splice(0));
  return sent;
}

export const readMessage = ({ raw }: Pick<SentMail, 'raw'>): Promise<Email> => PostalMime.parse(raw);

/** Returns the value of a header; undefined if there is none. */
export const headerOf = ({ headers }: Email, name: string): string | undefined =>
  headers.find(({ key }) => key === name)?.value;

/** Adds a mail address in a verified domain to an account. */
export async function addAddress(
  { accountId: account }: Pick<Tenant, 'accountId'>,
  input: Partial<StoredMailAddress> = {},
): Promise<StoredMailAddress> {
  const address: StoredMailAddress = {
    ...newRecord({ ...authoredBy('admin@tenant.test', clock.now()), account }),
    address: 'help@acme.example',
    purpose: 'tickets',
    inboundSecret: base32(Buffer.alloc(10, 7)),
    ...input,
  };
  await transact(mailAddresses.insert(address), Date.now() + 60_000);
  await verifyDomainOf(account, address.address);
  return address;
}

/** An account with a mail address that mails comments to requesters. */
export async function mailingTenant(name = 'Acme Support'): Promise<Tenant> {
  const acme = await tenant();
  await addAddress(acme, { name });
  await acme.admin.ok(updateAccount, {
    params: { id: acme.accountId },
    body: { mail: { commentsByMail: true } },
  });
  return acme;
}

/** Creates a ticket of a requester. */
export const ticketOf = (acme: Tenant, requesterEmail = 'ada@example.com') =>
  acme.key.ok(createTicket, {
    body: {
      subject: 'No receipt',
      description: 'The terminal prints nothing.',
      category: 'technical',
      requesterType: 'external',
      requesterId: 'ada',
      requesterName: 'Ada Byron',
      requesterEmail,
    },
  });

/** Returns the outgoing mails of an account, oldest first. */
export async function storedMails({ accountId }: Tenant): Promise<StoredMail[]> {
  const found = await mails.newest(accountId, 100);
  return mails.findMany(accountId, found.map(({ id }) => id).toReversed());
}
