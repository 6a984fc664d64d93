import { expect, onTestFinished, test, vi } from 'vitest';
import { startWebhookReceiver } from '../../infra/local/webhook-receiver.ts';

test('a receiver whose handler fails logs the error and responds with 500', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const failure = new Error('The disk is full.');
  const receiver = await startWebhookReceiver({
    secret: () => 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
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
