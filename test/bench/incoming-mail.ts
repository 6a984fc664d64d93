import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { readAddresses } from '../../infra/administration/addresses.ts';
import { readCredentials } from '../../infra/administration/credentials.ts';
import { apiClient } from '../../infra/operations/api-client.ts';
import { startLocalService } from './local-service.ts';
import { milliseconds, type Row } from './rows.ts';

const part = 'mail';
/** The number of mails that are sent in a second. */
const rate = 30;
/** The list is read this often, in milliseconds. */
const pause = 100;

/**
 * Sends mails of different senders to `npm start` at a fixed rate for some seconds. Measures the time from the end of the SMTP
 * transaction until the mail is listed. A mail is listed at the same time as its ticket or comment, because one transaction
 * writes both.
 */
export async function measureIncomingMail(seconds: number): Promise<Row[]> {
  const service = await startLocalService();
  try {
    const { administrator, to, smtpPort } = await openAddress(service.folder);
    const transport = createTransport({
      ...{ host: '127.0.0.1', port: smtpPort, ignoreTLS: true },
      ...{ pool: true, maxConnections: 10, maxMessages: Number.POSITIVE_INFINITY },
    });
    const sentAt = new Map<string, number>();
    const waited = new Map<string, number>();
    const send = async (n: number) => {
      const subject = `Mail ${n}`;
      await transport.sendMail({
        from: `sender-${n}@example.net`,
        to,
        subject,
        text: 'The terminal is broken.',
      });
      sentAt.set(subject, performance.now());
    };
    const count = rate * seconds;
    const began = performance.now();
    const sending = Promise.all(
      Array.from({ length: count }, async (_, n) => {
        await setTimeout((n * 1000) / rate);
        await send(n);
      }),
    );
    const deadline = began + 5 * seconds * 1000;
    while (waited.size < count && performance.now() < deadline) {
      const { data } = await administrator.send<{ data: { subject: string }[] }>(
        'GET',
        '/mails?pageSize=100&sort=-createdAt',
      );
      const now = performance.now();
      for (const { subject } of data) {
        const sent = sentAt.get(subject);
        if (sent !== undefined && !waited.has(subject)) waited.set(subject, now - sent);
      }
      await setTimeout(pause);
    }
    await sending;
    transport.close();
    const took = (performance.now() - began) / 1000;
    const sorted = [...waited.values()].sort((one, other) => one - other);
    const p95 = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN;
    return [
      {
        part,
        measure: `receipt to listed mail, p95, at ${rate} mails a second for ${seconds} s`,
        result: `${milliseconds(p95)}; ${waited.size} of ${count} mails in ${took.toFixed(1)} s`,
      },
    ];
  } finally {
    await service.stop();
  }
}

/** Adds a mail domain and an address. Returns the hidden address to which mail is sent. */
async function openAddress(folder: string) {
  const credentials = readCredentials(join(folder, 'credentials.json'));
  const addresses = readAddresses(join(folder, 'runner.json'));
  if (!credentials || !addresses) throw new Error('The local service wrote no credentials or addresses.');
  const { baseUrl, accountId, adminEmail: email, adminPassword: password } = credentials;
  const api = apiClient(baseUrl);
  const { token } = await api.send<{ token: string }>('POST', '/auth/login', { body: { email, password } });
  const administrator = api.with({ authorization: `Bearer ${token}`, 'x-account-id': accountId });
  const domain = 'desk.example.com';
  const { id } = await administrator.send<{ id: number }>('POST', '/mail-domains', { body: { domain } });
  await administrator.send('POST', `/mail-domains/${id}/validate`);
  const { inboundAddress: to } = await administrator.send<{ inboundAddress: string }>(
    'POST',
    '/mail-addresses',
    {
      body: { address: `support@${domain}`, purpose: 'tickets' },
    },
  );
  return { administrator, to, smtpPort: addresses.smtpPort };
}
