import { command, group } from '../command.ts';
import {
  account,
  defaultedOption,
  flag,
  instant,
  optionalOption,
  requiredOption,
  stage,
  wholeNumber,
} from '../options.ts';

const runDrill = command({
  brief:
    'Restores the table of a stage to a second table, compares both tables, and removes the second table',
  notes: [
    `The command also decrypts data keys and verifies seals in the second table. It prints how long each part took.`,
    `The table of the stage keeps changing during the drill. In every account, the drill compares the events from
before the instant. In accounts without events since 15 minutes before the instant, the drill also compares all items
that are written with events. In other accounts, the drill compares the number of items created before the instant.
Items that functions write later (such as sessions, inboxes, queued work, audit entries, seals) are only counted. The
command prints each difference. If there are differences, the exit code is 1.`,
    `Costs per GB: 15 cents for the restore and 7 cents for two reads. The second table is named
<table>-drill-<instant>. It is removed at the end, also after a failure or Ctrl-C. DynamoDB cannot remove a table
during its restore, so the command waits. If a drill is killed or the restore takes longer than --hours, the next drill
removes the table. No other table is ever removed: a drill's table has this name, was restored from this table and has
no stream. Run only one drill per stage at a time.`,
    'The local service has no point-in-time recovery. To back it up, stop it and copy DATA_DIR.',
  ],
  parameters: {
    flags: {
      stage: requiredOption(stage, 'stage of the table'),
      at: optionalOption(instant, 'instant to restore; default: the latest possible, some minutes ago'),
      account: optionalOption(
        account,
        'account whose data keys and seals are checked; default: the account with the most events',
      ),
      rate: defaultedOption(wholeNumber, '1000', 'read units per second for each table'),
      hours: defaultedOption(wholeNumber, '12', 'maximum duration of the restore'),
      json: flag('prints the result as JSON'),
    },
  },
  loader: () => import('../restore-drills-run.ts'),
});

export const restoreDrillCommands = group('Test a restore of the table', { run: runDrill });
