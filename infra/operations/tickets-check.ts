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
prints the differences. Changes nothing.`,
    options: {
      account: { type: accountId, required: true, help: 'account whose tickets are checked' },
      json: { type: 'flag', help: 'prints the differences as JSON' },
      ...serviceOption,
    },
    notes: [serviceNote, 'If there are no differences, nothing is printed. Otherwise, the exit code is 1.'],
  },
  async ({ account, json, stage }) => {
    await useTableOf(stage);
    const differences = await withProgressBar('Tickets checked', (advance) => checkTickets(account, advance));
    const sentences = differences.map((sentence) => `${sentence}\n`).join('');
    print({ accountId: account, differences }, json ? undefined : sentences);
    if (differences.length > 0) process.exitCode = 1;
  },
);
