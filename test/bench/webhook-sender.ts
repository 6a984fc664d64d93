import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Event } from '../../shared/events/envelope.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import { payloadOf } from '../../shared/messaging/webhooks/payload.ts';
import { mintWebhookSecret } from '../../shared/messaging/webhooks/secrets.ts';
import { send } from '../../shared/messaging/webhooks/send.ts';
import { messageIdOf, signedHeaders } from '../../shared/messaging/webhooks/signature.ts';
import type { Row } from './rows.ts';

/**
 * Measures how many deliveries per second one process builds, signs and sends. The endpoint runs in another process on
 * loopback.
 */
export async function measureWebhooks(count: number): Promise<Row[]> {
  process.env.STAGE = 'local';
  const receiver = spawn(process.execPath, ['-e', endpoint], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = once(receiver, 'exit');
  const [port] = await once(receiver, 'message');
  const url = `http://127.0.0.1:${port}/hook`;
  try {
    await postAll(url, count / 10);
    const [began, before] = [performance.now(), process.cpuUsage()];
    await postAll(url, count);
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(before);
    const busy = (user + system) / 1_000_000;
    const part = 'webhooks';
    return [
      { part, measure: 'signed deliveries, one process', result: `${Math.round(count / seconds)}/s` },
      { part, measure: 'signed deliveries per second of CPU time', result: `${Math.round(count / busy)}` },
    ];
  } finally {
    receiver.kill();
    await exited;
  }
}

const atOnce = 40;

const endpoint = `
  const server = require('node:http').createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
`;
const secrets = [mintWebhookSecret()];
const event: Event = {
  id: 214563398120449,
  kind: 'lead_created',
  version: 1,
  accountId: 'acme' as AccountId,
  actor: { user: 'grace@example.com', apiKey: null },
  subject: { type: 'lead', id: 7, version: 1, label: 'Ada Lovelace' },
  data: { changes: { name: { to: 'Ada Lovelace' }, company: { to: 'Analytical Engines' } } },
  request: { method: 'POST', path: '/leads', headers: {}, ipAddress: '203.0.113.7' },
  occurredAt: '2026-03-02T10:00:00.000Z',
};

async function post(url: string, id: number): Promise<void> {
  const body = payloadOf({ ...event, id }, { payloadVersion: 1, payload: 'full' });
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...signedHeaders(body, secrets, messageIdOf({ ...event, id }), new Date()),
  };
  const { status, error } = await send({ url, headers, body });
  if (status !== 204) throw new Error(`The endpoint returned ${status ?? error}.`);
}

async function postAll(url: string, count: number): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) {
      next += 1;
      await post(url, event.id + next);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
