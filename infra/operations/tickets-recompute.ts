import '../quiet-sdk.ts';
import { commit } from '../../shared/events/outbox.ts';
import { recomputeClocks } from '../../shared/support/tickets/recompute-clocks.ts';
import { command, print } from './command.ts';
import { byOperator } from './operator-event.ts';
import { accountId } from './options.ts';
import { withProgressBar } from './progress-bar.ts';
import { writeDeadline } from './scan-table.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

const name = 'tickets:recompute';

await command(
  {
    name,
    summary: `Recomputes the due times of an account's open tickets with the account's current SLA targets, business
hours and holidays. Without this command, open tickets keep the policy that applied when they were created.`,
    options: {
      account: { type: accountId, required: true, help: 'account whose open tickets are recomputed' },
      json: { type: 'flag', help: 'prints the result as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `Each ticket gets an event and an entry in the ledger of its clock. Time that is already counted, met targets and
breaches do not change. If the command is interrupted, run it again.`,
    ],
  },
  async ({ account, json, stage }) => {
    await useTableOf(stage);
    const recomputed = await withProgressBar('Tickets read', (advance) =>
      recomputeClocks(
        account,
        {
          actor: 'operator',
          commit: (writes, events) =>
            commit({
              writes,
              events: events.map((draft) => byOperator(draft, account, name)),
              deadline: writeDeadline(),
            }),
        },
        advance,
      ),
    );
    const { recomputed: changed, current } = recomputed;
    const sentence = `${changed} open tickets recomputed. ${current} already had the current policy.`;
    print({ accountId: account, ...recomputed }, json ? undefined : [sentence]);
  },
);
