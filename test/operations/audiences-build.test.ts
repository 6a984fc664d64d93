import { expect, test } from 'vitest';
import { rewriteSubscriberIndex } from '../../shared/messaging/subscriber-index/rewrite-subscriber-index.ts';
import { deleteAll } from '../../shared/table/batch-write.ts';
import { joins, member } from '../harness/member.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { scanTable } from '../harness/raw-table.ts';
import { tenant } from '../harness/tenant.ts';

const build = operatorsCommand('audiences-build');
const audiences = async () =>
  (await scanTable())
    .filter(({ pk }) => pk.includes('#AUDIENCE#'))
    .sort((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));

test('rebuilds the subscriber index of every account, and a second run changes nothing', async () => {
  const [acme, globex] = [await tenant(), await tenant()];
  const subscriber = await member(acme, [], {
    notificationPreferences: [
      { event: 'lead_created', deliveryPref: ['website', 'sms'] },
      { event: 'lead_created', accountId: acme.accountId, deliveryPref: [] },
    ],
  });
  await joins(subscriber, globex, { accountAdmin: true });
  await member(acme);
  for (const { accountId } of [acme, globex]) await rewriteSubscriberIndex(accountId, Date.now() + 60_000);
  const before = await audiences();
  // Each account has a row and a list of rows. The other three items belong to administrators.
  expect(before).toHaveLength(7);
  expect(await deleteAll(before)).toEqual([]);
  for (let run = 0; run < 2; run++) {
    expect(await (run === 0 ? build.asProcess : build.here)('--stage', 'local')).toEqual({
      code: 0,
      stdout: '1 users with their own rules, 3 administrators.\n',
      stderr: '',
    });
    expect(await audiences()).toEqual(before);
  }
});
