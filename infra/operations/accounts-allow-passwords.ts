import { accounts } from '../../shared/accounts/store.ts';
import { commit } from '../../shared/events/outbox.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { allowPasswords } from '../../shared/single-sign-on/change-connection.ts';
import { ssoConnections } from '../../shared/single-sign-on/store.ts';
import { authoredBy } from '../../shared/table/revise.ts';
import type { StageSettings } from '../stage-settings.ts';
import { byOperator } from './operator-event.ts';
import { print } from './print.ts';
import { writeDeadline } from './scan-table.ts';
import { useTableOf } from './service-at.ts';

type Options = { account: AccountId; json?: boolean; stage?: StageSettings };

export default async function ({ account, json, stage }: Options): Promise<void> {
  await useTableOf(stage);
  const [record, connections] = await Promise.all([accounts.get(account), ssoConnections.all(account)]);
  const { writes, events } = allowPasswords(record, connections, authoredBy('operator', new Date()));
  await commit({
    writes,
    events: events.map((draft) => byOperator(draft, account, 'accounts allow-passwords')),
    deadline: writeDeadline(),
  });
  print(
    { account, changedConnections: events.length },
    json
      ? undefined
      : [
          events.length > 0
            ? `Members of ${account} can log in with their passwords again.`
            : `No connection of ${account} enforces single sign-on.`,
        ],
  );
}
