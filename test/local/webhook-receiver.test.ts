import { once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ReceivedDelivery, startWebhookReceiver } from '../../infra/administration/webhook-receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('a receiver whose handler fails logs the error and responds with 500', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const failure = new Error('The disk is full.');
  const receiver = await startWebhookReceiver({
    secret: () => secret,
    respond: async () => {
      throw failure;
    },
  });
  onTestFinished(async () => {
    logged.mockRestore();
    await receiver.stop();
  });
  expect((await fetch(receiver.endpoint, { method: 'POST', body: '{}' })).status).toBe(500);
  expect(logged.mock.calls).toEqual([['The receiver of webhooks failed:', failure]]);
});

test('a receiver logs no error if the sender closes the connection during the request', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const respond = vi.fn(async (_: ReceivedDelivery, response: ServerResponse) => void response.end());
  const receiver = await startWebhookReceiver({ secret: () => secret, respond });
  onTestFinished(async () => {
    logged.mockRestore();
    await receiver.stop();
  });
  const sending = request(receiver.endpoint, { method: 'POST', headers: { 'content-length': 100 } });
  const failed = once(sending, 'error');
  sending.write('{', () => setTimeout(() => sending.destroy(new Error('The sender stops.')), 50));
  await failed;
  expect((await fetch(receiver.endpoint, { method: 'POST', body: '{}' })).status).toBe(200);
  expect([logged.mock.calls, respond.mock.calls.length]).toEqual([[], 1]);
});
