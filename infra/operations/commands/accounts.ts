import { maxAccountNameLength } from '../../../shared/accounts/name-length.ts';
import { emailIn, textForms, visibleCharacter } from '../../../shared/formats.ts';
import { command, group } from '../command.ts';
import {
  account,
  flag,
  optionalOption,
  requiredOption,
  text,
  type ValueType,
  wholeNumber,
} from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const email: ValueType<string> = { expected: 'an email address', parse: emailIn };

const accountName: ValueType<string> = {
  expected: `1 to ${maxAccountNameLength} characters without control characters or direction marks`,
  parse: (given) => {
    const name = given.trim();
    const fits = visibleCharacter.test(name) && [...name].length <= maxAccountNameLength;
    return fits && textForms.name.form.test(name) ? name : undefined;
  },
};

const list = command({
  brief: 'Lists all accounts with their users and the time of the last event',
  notes: [
    serviceNote,
    'The column users includes invited and inactive users. Accounts that are being erased are not listed.',
    'Also lists the proofs of the accounts that were deleted through the API and then erased. With --json, a proof contains the number of removed items of each type, the final check, and the last seal of the event log.',
  ],
  flags: { json: flag('prints the accounts as JSON'), ...serviceOption },
  loader: () => import('../accounts-list.ts'),
});

const create = command({
  brief: 'Creates an account, its administrator and an API key',
  notes: [
    `Prints the credentials as JSON. ADMIN_PASSWORD in the environment is the password of the administrator; default: a
random one.`,
    serviceNote,
  ],
  flags: {
    name: requiredOption(accountName, 'name of the account'),
    email: requiredOption(email, 'email address of the administrator'),
    ...serviceOption,
  },
  loader: () => import('../accounts-create.ts'),
});

const stats = command({
  brief: 'Counts the records of an account with their size, its files, events and open work items',
  notes: [
    serviceNote,
    `The command reads the whole table once. The size of an item is its length as JSON, without its copies in indexes.
The row "derived" counts all items that an export does not contain, such as summaries, counters and sessions.`,
  ],
  flags: {
    account: requiredOption(account, 'account to measure'),
    json: flag('prints the counts as JSON, with sizes in bytes'),
    ...serviceOption,
  },
  loader: () => import('../accounts-stats.ts'),
});

const exportAccount = command({
  brief: 'Exports an account as JSON lines, or verifies an export',
  notes: [
    `An export has a header, one line per record, and a last line with counts and a digest. The command changes nothing,
except that --reveal writes events.`,
    serviceNote,
    `The command reads the whole table once. Records created or deleted during the export may be missing. Not
exported: secrets and their hashes, derived data, users' notification rules, and the last use of API keys. An export
without its last line is incomplete. With --files, the command reuses correct files from an interrupted export.`,
  ],
  flags: {
    account: optionalOption(account, 'account to export'),
    out: optionalOption(text, 'new file, readable by its owner only; default: stdout'),
    files: optionalOption(text, 'folder for the files of documents; default: files are not exported'),
    reveal: flag(
      "shows sensitive values, and first adds events about the disclosure to the account's event log",
    ),
    verify: optionalOption(
      text,
      'checks that the export in this file, and its --files, are complete and unchanged',
    ),
    json: flag('prints the result of --verify as JSON'),
    ...serviceOption,
  },
  loader: () => import('../accounts-export.ts'),
});

const erase = command({
  brief: 'Permanently erases an account: its items, files and dead letters, and users of no other account',
  notes: [
    serviceNote,
    `At a terminal, the command asks for the confirmation if --name is omitted. It closes the account, so that all
requests of the account are refused, and then reads the whole table several times. After an interruption, run the
command again to continue. Users who also belong to another account are kept, but some must log in again. The command
ends with a check of the table, the bucket and the queues. If a queue may still have messages, the exit code is 1.`,
    `Only a restore of the table can bring the data back. Not erased: backups and point-in-time recovery of the table, log
lines until they expire, the table's stream (24 hours), mail and messages already sent, and other accounts' records that
mention this account, such as events. A file whose upload was allowed in the last 15 minutes may still arrive. The
bucket removes such a file within days.`,
  ],
  flags: {
    account: requiredOption(account, 'account to erase'),
    name: optionalOption(text, 'confirmation: the account name, or the id if the name is blank'),
    dryRun: flag('counts the data of the account and changes nothing'),
    wait: optionalOption(
      wholeNumber,
      'seconds between the last removal and the final check; default: the longest timeout of a consumer',
    ),
    json: flag('prints the counts as JSON'),
    ...serviceOption,
  },
  loader: () => import('../accounts-erase.ts'),
});

const allowPasswords = command({
  brief:
    'Ends the enforcement of single sign-on in an account, so that its members can log in with passwords',
  notes: [
    serviceNote,
    `For an account whose identity provider fails, and whose administrators all have addresses in the enforced domains. The
connections remain. The actor of the events in the account's log is "operator".`,
  ],
  flags: {
    account: requiredOption(account, 'the account'),
    json: flag('prints the result as JSON'),
    ...serviceOption,
  },
  loader: () => import('../accounts-allow-passwords.ts'),
});

export const accountCommands = group('Create, measure, export and erase accounts', {
  list,
  create,
  stats,
  export: exportAccount,
  erase,
  'allow-passwords': allowPasswords,
});
