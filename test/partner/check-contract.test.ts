import { expect, test } from 'vitest';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { checkPartnerContract } from '../../infra/administration/partner/check-contract.ts';
import { startPartnerSimulator } from '../../infra/administration/partner/simulator.ts';

const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

test('the simulator passes every check of the contract', async () => {
  const partner = await startPartnerSimulator({
    secret: () => secret,
    eventsUrl: () => 'http://127.0.0.1:9/',
    behaviour: { silent: true },
  });
  const results = await checkPartnerContract({ url: partner.url, secret });
  await partner.stop();
  expect(results.filter(({ passed }) => !passed)).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
});

test('a partner that accepts everything fails the checks of signatures and ids', async () => {
  const careless = await startLoopbackServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const results = await checkPartnerContract({ url: careless.endpoint, secret });
  await careless.stop();
  expect(results.filter(({ passed }) => passed).map(({ check }) => check)).toEqual([
    'POST /test accepts a signed request',
  ]);
});

test('a partner that cannot be reached is reported with its address', async () => {
  const checking = checkPartnerContract({ url: 'http://127.0.0.1:9/', secret });
  await expect(checking).rejects.toThrow('The partner at http://127.0.0.1:9/ cannot be reached');
});
