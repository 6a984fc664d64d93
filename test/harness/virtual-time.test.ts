import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { send } from '../../shared/messaging/webhooks/send.ts';
import { putAll } from '../../shared/table/batch-write.ts';
import { getItem } from '../../shared/table/read.ts';
import { behaviours, receiver } from './receiver.ts';
import { inVirtualTime } from './virtual-time.ts';

beforeEach(() => void vi.stubEnv('STAGE', 'local'));
afterEach(() => void vi.unstubAllEnvs());

const outgoing = (url: string) => ({ url, headers: {}, body: Buffer.from('{}') });

test('what waits takes the time that it waits for, and what is done takes none', async () => {
  const { url } = await receiver(behaviours.hangs);
  const began = performance.now();
  await inVirtualTime(async () => {
    const at = Date.now();
    for (let n = 0; n < 50; n++) await putAll([{ pk: 'virtual', sk: String(n), type: 'one' }]);
    expect(await getItem({ pk: 'virtual', sk: '7' })).toBeDefined();
    expect(Date.now() - at).toBe(0);
    await sleep(3_600_000);
    expect(Date.now() - at).toBe(3_600_000);
    expect(await send(outgoing(url))).toMatchObject({ error: 'timeout', durationMs: 15_000 });
    expect(Date.now() - at).toBe(3_615_000);
  });
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('an endpoint that responds later is waited for', async () => {
  const { url } = await receiver((response) => void setTimeout(() => response.end('late'), 700));
  await inVirtualTime(async () =>
    expect(await send(outgoing(url))).toMatchObject({ status: 200, response: 'late', durationMs: 700 }),
  );
});
