import { expect, test } from 'vitest';
import createLead from '../../functions/leads/create-lead.ts';
import createWebhook from '../../functions/webhooks/create-webhook.ts';
import { drain } from '../harness/drain.ts';
import { operatorsCommand } from '../harness/operators-command.ts';
import { behaviours, receiver } from '../harness/receiver.ts';
import { tenant } from '../harness/tenant.ts';

const status = operatorsCommand('webhooks', 'status');
const local = ['--stage', 'local'];

test('webhooks status shows idle, healthy, failing and disabled webhooks with their waiting deliveries', async () => {
  const acme = await tenant();
  const options = ['--account', acme.accountId, ...local];
  expect(await status.asProcess(...options)).toEqual({
    code: 0,
    stdout: `Account ${acme.accountId} has no webhooks.\n`,
    stderr: '',
  });
  const { responds } = behaviours;
  const secrets: string[] = [];
  for (const [description, behaviour, kind] of [
    ['unused', responds(200), 'team_created'],
    ['good', responds(200), 'lead_created'],
    ['broken', responds(500), 'lead_created'],
    [undefined, responds(410), 'lead_created'],
  ] as const) {
    const { url } = await receiver(behaviour);
    const body = { url: `${url}/private-path`, events: [kind], ...(description && { description }) };
    secrets.push((await acme.admin.ok(createWebhook, { body })).secret);
  }
  for (let n = 0; n < 2; n++)
    await acme.admin.ok(createLead, { body: { firstName: 'Ada', lastName: 'Byron' } });
  await drain();

  const { code, stdout } = await status.here(...options);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]?.split(/ {2,}/)).toEqual([
    'id',
    'webhook',
    'state',
    'last success',
    'failures',
    'last status',
    'waiting',
    'next attempt',
    'reason',
  ]);
  const rowOf = (label: string) =>
    lines
      .map((line) => line.split(/ {2,}/))
      .find(([, name]) => name?.startsWith(label))
      ?.slice(2);
  const attempts = expect.stringMatching(/^[12]$/);
  const instant = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(rowOf('unused')).toEqual(['idle', '-', '0', '-', '0', '-', '-']);
  expect(rowOf('good')).toEqual(['healthy', instant, '0', '200', '0', '-', '-']);
  expect(rowOf('broken')).toEqual(['failing', '-', attempts, '500', '2', instant, '-']);
  const gone = 'The endpoint responded with 410 Gone.';
  expect(rowOf('127.0.0.1')).toEqual(['disabled', '-', attempts, '410', '0', '-', gone]);

  const { stdout: json } = await status.here(...options, '--json');
  const { webhooks } = JSON.parse(json);
  expect(webhooks).toHaveLength(4);
  expect(webhooks.find(({ label }: { label: string }) => label === 'broken')).toMatchObject({
    failures: expect.any(Number),
    nextAttemptAt: instant,
    health: { status: 'failing', waiting: 2, oldestWaitingAt: instant },
  });
  for (const confidential of [...secrets, 'private-path']) expect(stdout + json).not.toContain(confidential);
});

test('webhooks status reports an unknown account with exit code 1', async () => {
  expect(await status.here('--account', 'acc_nowhere', ...local)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No account acc_nowhere in this table.\n',
  });
});
