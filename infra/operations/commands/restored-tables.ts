import { command, group } from '../command.ts';
import {
  account,
  defaultedOption,
  flag,
  instant,
  optionalOption,
  requiredOption,
  stage,
  text,
  wholeNumber,
} from '../options.ts';

const compare = command({
  brief: 'Compares a restored table with the table of the stage',
  notes: [
    'The command also decrypts data keys and verifies seals in the restored table. It changes nothing.',
    `The table of the stage keeps changing. In every account, the command compares the events from before the instant.
In accounts without events since 15 minutes before the instant, it also compares all items that are written with events.
In other accounts, it compares the number of items created before the instant. Items that functions write later (such as
sessions, inboxes, queued work, audit entries, seals) are only counted. The command prints each difference. If there are
differences, the exit code is 1.`,
    'Reading both tables costs 7 cents per GB.',
  ],
  flags: {
    stage: requiredOption(stage, 'stage of the table'),
    table: requiredOption(text, 'name of the restored table'),
    at: requiredOption(instant, 'instant that was restored'),
    account: optionalOption(
      account,
      'account whose data keys and seals are checked; default: the account with the most events',
    ),
    rate: defaultedOption(wholeNumber, '1000', 'read units per second for each table'),
    json: flag('prints the result as JSON'),
  },
  loader: () => import('../restored-tables-compare.ts'),
});

export const restoredTableCommands = group('Check a restored table', { compare });
