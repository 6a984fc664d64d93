import { setTimeout } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { WithId } from '../send-requests.ts';
import { type DemoCompany, ensure, readAll } from './company.ts';

interface DemoTicket extends WithId {
  requesterEmail?: string;
  requesterType: string;
  status: string;
  tags: string[];
}

/**
 * Adds a mail domain and a mail address, sends a mail to the requester of a ticket, and receives a mail of a customer
 * through the SMTP server. The domain is reserved, so only the local service proves it. Mails that exist are not sent again.
 */
export async function createMails(company: DemoCompany, smtpPort: number | undefined): Promise<void> {
  const { plan, send } = company;
  // The local stand-in of SES verifies a domain with this first label at the first check.
  const domain = `verified.desk-demo-${plan.seed}.example.com`;
  const [created] = await ensure<WithId & { status: string }>(
    company,
    '/mail-domains',
    'domain',
    [{ domain }],
    'mail domains',
  );
  if (created?.status === 'requested') await send('POST', `/mail-domains/${created.id}/validate`);
  const address = {
    address: `support@${domain}`,
    name: 'Support',
    purpose: 'tickets',
    autoReply: { text: 'Thank you for your mail. We reply within one working day.' },
  };
  const [desk] = await ensure<WithId & { inboundAddress?: string }>(company, '/mail-addresses', 'address', [
    address,
  ]);
  const mails = await readAll<{ direction: string }>(company, '/mails');
  const has = (direction: string) => mails.some((mail) => mail.direction === direction);
  if (!has('outgoing') && created && (await isVerified(company, created))) await replyToTicket(company);
  if (smtpPort !== undefined && !has('incoming')) await receiveMail(desk?.inboundAddress ?? '', smtpPort);
}

/** A job checks a domain soon after its proof. The check is awaited for this time, in milliseconds. */
const longestCheck = 30_000;

/** Waits until a domain is checked, and reports whether mail can be sent from it. */
async function isVerified({ send }: DemoCompany, { id }: WithId): Promise<boolean> {
  for (const end = Date.now() + longestCheck; ; await setTimeout(250)) {
    const { status } = await send<{ status: string }>('GET', `/mail-domains/${id}`);
    if (status !== 'proved' || Date.now() >= end) return status === 'verified';
  }
}

async function replyToTicket(company: DemoCompany): Promise<void> {
  const tickets = await readAll<DemoTicket>(company, '/tickets');
  // Tickets are created in parallel, so their order is not the same in every run. A response to another ticket could meet a
  // target that the ticket shall miss.
  const [ticket] = tickets
    .filter(({ status, requesterType }) => status === 'waiting_customer' && requesterType === 'external')
    .filter(({ requesterEmail }) => requesterEmail !== undefined)
    .sort((one, other) => (String(one.tags) < String(other.tags) ? -1 : 1));
  if (ticket)
    await company.send('POST', `/tickets/${ticket.id}/mails`, {
      body: 'Hello,\n\nwe are looking into this, and write again tomorrow.\n\nYour support',
    });
}

/** Sends a mail of a customer to the hidden address, as the company's mail server forwards it. It opens a ticket. */
async function receiveMail(to: string, port: number): Promise<void> {
  const smtp = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
  await smtp.sendMail({
    from: { name: 'Harriet Lane', address: 'harriet@customer.example' },
    to,
    subject: 'The display of our terminal is dark',
    text: 'Hello,\n\nsince this morning, the display of our terminal is dark. It still beeps.\n\nHarriet Lane',
  });
  smtp.close();
}
