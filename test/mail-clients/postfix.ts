import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoggedProcess, startLogged } from '../harness/logged-process.ts';
import { systemUser } from './system-user.ts';

/** The ports and the addresses of a mail server. All servers are on 127.0.0.1. */
interface PostfixOptions {
  /** The parent of the server's folder. Its path must be readable for all users. */
  folder: string;
  port: number;
  /** The domain of the mailboxes, and the port of the LMTP server that stores their mail. */
  mailboxes: { domain: string; port: number };
  /** The SMTP servers that receive the mail of other domains, by domain. */
  routes: Readonly<Record<string, number>>;
  /** The addresses to which the mail of an address is forwarded. */
  forwarded: Readonly<Record<string, string>>;
}

/** Starts Postfix as an ordinary mail server that accepts all mail of this machine. Needs the rights of root. */
export async function startPostfix(options: PostfixOptions): Promise<LoggedProcess> {
  const folder = mkdtempSync(join(options.folder, 'postfix-'));
  const [config, queue, data] = ['config', 'queue', 'data'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  chmodSync(folder, 0o755);
  for (const path of [config, queue, data]) mkdirSync(path);
  const { uid, gid } = systemUser('postfix');
  chownSync(data, uid, gid);
  writeFileSync(join(config, 'main.cf'), mainSettings({ queue, data }));
  writeFileSync(join(config, 'master.cf'), services(options.port));
  writeFileSync(join(config, 'transport'), table(transports(options)));
  writeFileSync(join(config, 'virtual'), table({ ...options.forwarded, ...virtualDomains(options) }));
  return startLogged(
    {
      name: 'Postfix',
      log: join(folder, 'log'),
      environment: { PATH: process.env.PATH ?? '' },
      serves: /daemon started/,
      seconds: 30,
    },
    'postfix',
    ['-c', config, 'start-fg'],
  );
}

/** A lookup table that Postfix reads when it starts. */
const table = (entries: Readonly<Record<string, string>>): string =>
  Object.entries(entries)
    .map(([key, value]) => `${key} ${value}\n`)
    .join('');

const transports = ({ mailboxes, routes }: PostfixOptions) => ({
  [mailboxes.domain]: `lmtp:inet:127.0.0.1:${mailboxes.port}`,
  ...Object.fromEntries(Object.entries(routes).map(([domain, port]) => [domain, `smtp:[127.0.0.1]:${port}`])),
});

/** An entry without an address makes a domain known whose addresses are all forwarded. */
const virtualDomains = ({ forwarded }: PostfixOptions) =>
  Object.fromEntries(Object.keys(forwarded).map((address) => [address.split('@')[1] ?? '', 'forwarded']));

/** Every other mail is rejected, so that no mail leaves the machine. */
const mainSettings = ({ queue, data }: { queue: string; data: string }): string => `
compatibility_level = 3.6
queue_directory = ${queue}
data_directory = ${data}
maillog_file = /dev/stdout
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.customer.example
mydestination =
local_recipient_maps =
alias_maps =
mynetworks = 127.0.0.0/8
transport_maps = texthash:$config_directory/transport
virtual_alias_maps = texthash:$config_directory/virtual
default_transport = error:5.1.2 This server delivers only to known domains
smtp_host_lookup = native
smtp_tls_security_level = none
smtpd_relay_restrictions = permit_mynetworks, reject
message_size_limit = 41943040
# An immediate answer to a temporary failure.
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
`;

/** The services of Postfix that deliver mail, without a change of the root folder. */
const services = (port: number): string => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`;
