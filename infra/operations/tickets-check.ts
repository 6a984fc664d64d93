import '../quiet-sdk.ts';
import { checkTickets } from './check-tickets.ts';
import { command, print } from './command.ts';
import { accountId } from './options.ts';
import { progressBar } from './progress-bar.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'tickets:check',
    summary: `Checks all that is stored of an account's tickets: folds every ledger anew, counts every view and every
total, and prints what does not agree. It changes nothing.`,
    options: {
      account: { type: accountId, required: true, help: 'whose tickets are looked at' },
      json: { type: 'flag', help: 'prints what differs as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      'Where all agree it says nothing. Where something differs it says what, and ends with 1.',
    ],
  },
  async ({ account, json, stage }) => {
    await useTableOf(stage);
    const bar = progressBar('Tickets looked at');
    const differences = await checkTickets(account, bar.advance).finally(bar.end);
    const sentences = differences.map((sentence) => `${sentence}\n`).join('');
    print({ accountId: account, differences }, json ? undefined : sentences);
    if (differences.length > 0) process.exitCode = 1;
  },
);
