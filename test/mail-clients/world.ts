import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../infra/administration/free-port.ts';
import { root } from '../../infra/build/endpoints.ts';
import { type ApiClient, apiClient } from '../../infra/operations/api-client.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import type { AtEnd } from '../harness/temporary-folder.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startRunnerProcess } from '../service/runner-process.ts';
import { startDovecot } from './dovecot.ts';
import { type Customer, openMailbox } from './mailbox.ts';
import { startPostfix } from './postfix.ts';

const run = promisify(execFile);

/** The domain of the customers' mailboxes. */
const customerDomain = 'customer.example';

/** A company with an account of the service and one mail address. */
interface Company {
  /** The address to which customers write. */
  address: string;
  administrator: ApiClient;
}

/** The service, two companies, and the mailboxes of customers. */
export interface MailWorld {
  companies: [Company, Company];
  customers: Record<string, Customer>;
}

interface Credentials {
  accountId: string;
  adminEmail: string;
  adminPassword: string;
}

/**
 * Starts the local service, Postfix and Dovecot. The service sends its mail to Postfix. Postfix delivers the mail of the
 * service's mail domain to the service, the mail of customers to Dovecot, and forwards the mail of the companies to their
 * hidden addresses.
 */
export async function startMailWorld(users: readonly string[], atEnd: AtEnd): Promise<MailWorld> {
  const [smtpPort, imapPort, lmtpPort, servicePort] = await freePorts();
  const folder = temporaryFolder(atEnd);
  const data = join(folder, 'data');
  await startRunnerProcess(
    { DATA_DIR: data, SMTP_RELAY: `127.0.0.1:${smtpPort}`, SMTP_PORT: String(servicePort) },
    { atEnd },
  );
  const { baseUrl, ...first } = JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8'));
  const second = await createAccount(data);
  const companies = [
    await openCompany(baseUrl, first, 'verified.acme.example.com'),
    await openCompany(baseUrl, second, 'verified.globex.example.org'),
  ] as const;
  const parent = process.env.TMPDIR ?? folder;
  const dovecot = await startDovecot({ folder: parent, lmtpPort, imapPort, users });
  atEnd(dovecot.stop);
  const postfix = await startPostfix({
    folder: parent,
    port: smtpPort,
    mailboxes: { domain: customerDomain, port: lmtpPort },
    routes: { 'mail.localhost': servicePort },
    forwarded: Object.fromEntries(companies.map(({ address, hidden }) => [address, hidden])),
  });
  atEnd(postfix.stop);
  const customers = await Promise.all(
    users.map(async (user) => {
      const customer = await openMailbox(user, { domain: customerDomain, smtpPort, imapPort });
      atEnd(customer.close);
      return [user, customer] as const;
    }),
  );
  return { companies: [companies[0], companies[1]], customers: Object.fromEntries(customers) };
}

async function freePorts(): Promise<[number, number, number, number]> {
  return [await freePort(), await freePort(), await freePort(), await freePort()];
}

/** Creates a second account with the operators' command, which hashes passwords like the service. */
async function createAccount(data: string): Promise<Credentials> {
  const preload = pathToFileURL(await inOneFile('test/service/preload-quick-scrypt.ts'));
  const { PATH, HOME } = process.env;
  const { stdout } = await run(
    process.execPath,
    [
      ...[await inOneFile('infra/operations/main.ts'), 'accounts', 'create'],
      ...['--name', 'Globex', '--email', 'globex@example.org'],
    ],
    { cwd: root, env: { PATH, HOME, DATA_DIR: data, NODE_OPTIONS: `--import=${preload}` } },
  );
  return JSON.parse(stdout.slice(stdout.indexOf('{')));
}

/** Adds a mail domain and the address `support@<domain>` to an account, and mails staff comments to customers. */
async function openCompany(
  baseUrl: string,
  { accountId, adminEmail: email, adminPassword: password }: Credentials,
  domain: string,
): Promise<Company & { hidden: string }> {
  const api = apiClient(baseUrl);
  const { token } = await api.send<{ token: string }>('POST', '/auth/login', { body: { email, password } });
  const administrator = api.with({ authorization: `Bearer ${token}`, 'x-account-id': accountId });
  const { id } = await administrator.send<{ id: number }>('POST', '/mail-domains', { body: { domain } });
  await administrator.send('POST', `/mail-domains/${id}/validate`);
  await eventually(async () => {
    const { status } = await administrator.send<{ status: string }>('GET', `/mail-domains/${id}`);
    return status === 'verified';
  });
  const address = `support@${domain}`;
  const autoReply = { text: 'Thank you. We reply within one working day.' };
  const { inboundAddress } = await administrator.send<{ inboundAddress: string }>('POST', '/mail-addresses', {
    body: { address, purpose: 'tickets', autoReply },
  });
  await administrator.send('PATCH', `/accounts/${accountId}`, { body: { mail: { commentsByMail: true } } });
  return { address, administrator, hidden: inboundAddress };
}

/** Waits until the check returns a value other than false and undefined. Throws an Error after a minute. */
export async function eventually<T>(check: () => Promise<T | false | undefined>): Promise<T> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const found = await check();
    if (found !== false && found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`Not within a minute: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
