import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { recomputeClocks } from '../../shared/support/tickets/recompute-clocks.ts';
import { withProgressBar } from '../administration/progress-bar.ts';
import type { StageSettings } from '../stage-settings.ts';
import { byOperator } from './operator-event.ts';
import { print } from './print.ts';
import { writeDeadline } from './scan-table.ts';
import { useTableOf } from './service-at.ts';

const name = 'tickets recompute';

type Options = { account: AccountId; json?: boolean; stage?: StageSettings };

export default async function ({ account, json, stage }: Options): Promise<void> {
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
}
