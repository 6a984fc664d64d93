import '../quiet-sdk.ts';
import { checkTickets } from './check-tickets.ts';
import { command, print } from './command.ts';
import { accountId } from './options.ts';
import { withProgressBar } from './progress-bar.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'tickets:check',
    summary: `Checks the derived data of an account's tickets (clocks, index entries, totals) against their records and
prints the differences, or the number of checked tickets. Changes nothing.`,
    options: {
      account: { type: accountId, required: true, help: 'account whose tickets are checked' },
      json: { type: 'flag', help: 'prints the result as JSON' },
      ...serviceOption,
    },
    notes: [serviceNote, 'If there are differences, the exit code is 1.'],
  },
  async ({ account, json, stage }) => {
    await useTableOf(stage);
    const checked = await withProgressBar('Tickets checked', (advance) => checkTickets(account, advance));
    const { tickets, clockEntries, differences } = checked;
    const sentences =
      differences.length > 0
        ? differences
        : [`${tickets} tickets, ${clockEntries} clock entries: all agree.`];
    print({ accountId: account, ...checked }, json ? undefined : sentences);
    if (differences.length > 0) process.exitCode = 1;
  },
);
