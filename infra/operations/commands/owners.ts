import { command, group } from '../command.ts';
import { account, flag, instant, optionalOption, requiredOption, text } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const fill = command({
  brief: 'Sets the owner and the team of applications and merchants of an account that have no owner',
  notes: [
    `An application gets the assignee and the team of its lead. Otherwise, it gets its creator, or the user of its repcode,
with the user's team. A merchant gets the owner and the team of its application. A merchant without an application gets its
creator. Only active users become owners. An owner or a team that a record already has does not change.`,
    `A record can also have no owner on purpose, for example because an API key created it. Use --before to select the
older records.`,
    serviceNote,
    'Each changed record gets an event. If the command is interrupted, run it again.',
  ],
  flags: {
    account: requiredOption(account, 'account whose records are changed'),
    before: optionalOption(instant, 'changes only records that were created before this instant'),
    repcodes: optionalOption(
      text,
      'JSON file with the email or id of the user of each repcode, such as {"R-17":"ada@example.com"}',
    ),
    dryRun: flag('counts the records and their new owners, and changes nothing'),
    json: flag('prints the result as JSON, with the ids of all records that remain without an owner'),
    ...serviceOption,
  },
  loader: () => import('../owners-fill.ts'),
});

export const ownerCommands = group('Set the owners of older records', { fill });
