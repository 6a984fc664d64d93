import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { createClient } from '../../infra/client/client.ts';
import { installClient, load, programs } from '../client/example.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startRunnerProcess } from './runner-process.ts';

interface Example {
  onboard(
    baseUrl: string,
    apiKey: string,
    apiSecret: string,
    webhookUrl: string,
  ): Promise<{ lead: { id: number }; ticket: { ticketNumber: string }; secret: string }>;
  receive(request: Request, secret: string): Promise<Response>;
}

/** Starts a receiver on this machine that stores each request. */
async function receiver() {
  const requests: Request[] = [];
  const server = createServer(async (request, response) => {
    const { headers, method } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    requests.push(new Request('http://receiver/', { method, headers: given, body: Buffer.concat(chunks) }));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

test('the example of the package’s README works with npm start, and webhooks listen forwards verified deliveries', async () => {
  const folder = temporaryFolder();
  const data = join(folder, '.local');
  await startRunnerProcess({ DATA_DIR: data });
  const { baseUrl, apiKey, apiSecret } = JSON.parse(readFileSync(join(data, 'credentials.json'), 'utf8'));
  const sink = await receiver();
  const listener = spawn(
    process.execPath,
    [await inOneFile('infra/operations/main.ts'), 'webhooks', 'listen', '--forward-to', sink.url],
    { cwd: root, env: { PATH: process.env.PATH, DATA_DIR: data } },
  );
  onTestFinished(() => void listener.kill('SIGKILL'));
  const ended = new Promise((resolve) => listener.once('close', resolve));
  let printed = '';
  listener.stdout.on('data', (text) => {
    printed += text;
  });
  listener.stderr.on('data', (text) => {
    printed += text;
  });
  await vi.waitFor(() => expect(printed).toMatch(/secret is whsec_/), 60_000);
  await installClient(folder, 'code');
  const journey = programs().find((program) => program.includes('function onboard')) ?? '';
  const { onboard, receive } = await load<Example>(folder, 'journey', journey);
  const { url, requests } = await receiver();

  const { lead, ticket, secret } = await onboard(baseUrl, apiKey, apiSecret, url);
  expect(lead.id).toBeGreaterThan(0);
  expect(ticket.ticketNumber).toBe('TKT-000001');
  await vi.waitFor(() => expect(requests).toHaveLength(2), 60_000);
  const texts = requests.map(async (request) => (await receive(request, secret)).text());
  expect((await Promise.all(texts)).sort()).toEqual(['Decision: approved', 'New lead: Ada Byron']);

  await vi.waitFor(() => expect(printed).toMatch(/ticket_created {2}ticket .* -> 200\n/), 60_000);
  const [, listenerSecret = ''] = /(whsec_\S+)/.exec(printed) ?? [];
  const [forwarded] = sink.requests;
  expect((await receive(forwarded ?? new Request(url), listenerSecret)).status).toBe(200);
  listener.kill('SIGINT');
  expect(await ended).toBe(0);
  const client = createClient({ baseUrl, apiKey, apiSecret });
  expect((await client.GET('/webhooks')).data).toMatchObject({ totalCount: 1 });
});
