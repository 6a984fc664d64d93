import { expect, onTestFinished, test } from 'vitest';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import type { WebhookPayload } from '../../infra/client/verify-webhook.ts';
import { statusFor } from '../../infra/operations/webhooks-listen.ts';
import { commandHere } from '../harness/command-here.ts';

const payload = {
  type: 'lead_created',
  timestamp: '2026-03-01T10:30:00Z',
  data: { subject: { type: 'lead', id: 7, label: 'Ada Byron' } },
} as unknown as WebhookPayload;
const delivery = { at: new Date(), headers: { 'webhook-id': 'msg_1' }, body: '{}', payload };

async function outcomeOf(target: string | undefined) {
  let status: number | undefined;
  const { stdout } = await commandHere(async () => {
    status = await statusFor(delivery, target);
  });
  return { status, line: stdout.replace(/^\S+ +/, '') };
}

test('a delivery to a target that cannot be reached fails with 502', async () => {
  const target = await startLoopbackServer((_, response) => void response.end());
  await target.stop();
  expect(await outcomeOf(`${target.endpoint}/`)).toEqual({
    status: 502,
    line: 'lead_created  lead 7 Ada Byron -> 502\n',
  });
});

test('the status of the target is the status of the delivery, and redirects are not followed', async () => {
  let status = 204;
  const target = await startLoopbackServer((request, response) => {
    expect(request.headers['webhook-id']).toBe('msg_1');
    response.writeHead(status, { location: '/elsewhere' }).end();
  });
  onTestFinished(target.stop);
  for (status of [204, 307, 418, 503])
    expect(await outcomeOf(`${target.endpoint}/`)).toMatchObject({ status });
});

test('without a target, a delivery succeeds, and an invalid delivery fails with 400', async () => {
  expect(await outcomeOf(undefined)).toEqual({ status: 204, line: 'lead_created  lead 7 Ada Byron\n' });
  const rejected = { ...delivery, payload: undefined, rejection: 'no signature' };
  const said = await commandHere(async () => expect(await statusFor(rejected, undefined)).toBe(400));
  expect(said.stdout).toBe('rejected: no signature\n');
});
