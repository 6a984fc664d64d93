import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoggedProcess, startLogged } from '../harness/logged-process.ts';
import { systemUser } from './system-user.ts';

interface DovecotOptions {
  /** The parent of the server's folder. Its path must be readable for all users. */
  folder: string;
  /** Receives mail with LMTP. */
  lmtpPort: number;
  imapPort: number;
  /** The local parts of the mailboxes. Mail to other addresses is rejected. */
  users: readonly string[];
}

/** The password of every mailbox. */
export const mailboxPassword = 'secret';

/** Starts Dovecot with empty mailboxes on 127.0.0.1. Needs the rights of root. */
export async function startDovecot(options: DovecotOptions): Promise<LoggedProcess> {
  const folder = mkdtempSync(join(options.folder, 'dovecot-'));
  chmodSync(folder, 0o755);
  const { uid, gid } = systemUser('nobody');
  const mailboxes = join(folder, 'mailboxes');
  mkdirSync(mailboxes);
  chownSync(mailboxes, uid, gid);
  const users = options.users.map(
    (name) => `${name}:{PLAIN}${mailboxPassword}:${uid}:${gid}::${mailboxes}/${name}\n`,
  );
  writeFileSync(join(folder, 'users'), users.join(''));
  const config = join(folder, 'dovecot.conf');
  writeFileSync(config, settings(options, folder));
  return startLogged(
    {
      name: 'Dovecot',
      log: join(folder, 'log'),
      environment: { PATH: process.env.PATH ?? '' },
      serves: /starting up/,
      seconds: 30,
    },
    'dovecot',
    ['-F', '-c', config],
  );
}

const settings = ({ lmtpPort, imapPort }: DovecotOptions, folder: string): string => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = /dev/stderr
listen = 127.0.0.1
protocols = imap lmtp
ssl = no
disable_plaintext_auth = no
mail_location = maildir:~/Maildir
first_valid_uid = 1
auth_username_format = %Ln
passdb {
  driver = passwd-file
  args = ${folder}/users
}
userdb {
  driver = passwd-file
  args = ${folder}/users
}
namespace inbox {
  inbox = yes
  separator = /
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${imapPort}
  }
  inet_listener imaps {
    port = 0
  }
}
service lmtp {
  inet_listener lmtp {
    address = 127.0.0.1
    port = ${lmtpPort}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;
