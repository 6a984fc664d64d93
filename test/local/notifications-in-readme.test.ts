import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { freePort } from '../../infra/local/free-port.ts';
import { linesOf, runLines } from './readme-lines.ts';
import { startRunnerProcess, temporaryFolder } from './runner-process.ts';

test('hearing of what happens runs as it stands in README: a notification, a webhook whose signatures hold, and a delivery that is sent again', async () => {
  const folder = temporaryFolder();
  await startRunnerProcess({ DATA_DIR: join(folder, '.local') });
  const port = String(await freePort());
  const hearing = linesOf('Hearing of what happens').replaceAll('4000', port);
  const output = await runLines([linesOf('A first request'), hearing], folder, {
    NODE_PATH: join(root, 'node_modules'),
  });
  const [, preferences, changed, heard, marked, markedAll, left, lead, next, again, deliveries] = output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

  expect(preferences).toMatchObject({ data: [{ event: 'lead_updated', deliveryPref: ['website'] }] });
  expect(heard).toMatchObject({
    data: [{ event: 'lead_updated', data: { subject: { id: changed.id } }, markedRead: false }],
    userDoesNotHaveNotificationPreferencesConfigured: false,
  });
  expect(marked).toMatchObject({ id: heard.data[0].id, markedRead: true });
  expect(markedAll).toEqual({ markedCount: expect.any(Number) });
  expect(left).toMatchObject({ data: [], totalCount: 0 });

  const [first, second] = readFileSync(join(folder, '.local', 'received.txt'), 'utf8')
    .trim()
    .split('\n');
  expect(first).toMatch(/^evt_acc_\w+_\d+ lead_created$/);
  expect(second).toMatch(/^evt_acc_\w+_\d+ lead_created$/);
  expect([lead, next]).toMatchObject([{ firstName: 'Grace' }, { firstName: 'Katherine' }]);
  expect(again).toMatchObject({ status: 'waiting', attempts: [{ number: 1, error: expect.any(String) }] });
  expect(second).toContain(again.messageId);
  expect(deliveries).toMatchObject({
    data: [
      { id: again.id, status: 'delivered', attempts: [{ number: 1 }, { status: 200, redelivery: true }] },
      { status: 'delivered', attempts: [{ number: 1, status: 200 }] },
    ],
    totalCount: 2,
  });
});
