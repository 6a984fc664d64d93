import { afterAll, expect, test } from 'vitest';
import readApplication from '../../functions/applications/read-application.ts';
import logIn from '../../functions/auth/log-in.ts';
import createLead from '../../functions/leads/create-lead.ts';
import { viewerFunctionCode } from '../../infra/stacks/edge.ts';
import { mintAppKey } from '../../shared/security/app-keys.ts';
import { applicant } from '../harness/applicant.ts';
import { clock } from '../harness/clock.ts';
import { eventsAbout } from '../harness/raw-table.ts';
import { client, tenant } from '../harness/tenant.ts';

const acme = await tenant();
const originProof = { throughFront: true } as const;
const cloudFront = '192.0.2.200';
afterAll(clock.reset);

/** A request from this address through CloudFront. */
const from = (address: string) => ({
  sourceIp: cloudFront,
  originProof,
  headers: { host: 'abc.execute-api.test', 'x-viewer-address': address, 'x-viewer-host': 'api.example.com' },
});

const ada = { firstName: 'Ada', lastName: 'Byron' };
const requestOf = async (sent: object) => {
  const { id } = await acme.key.ok(createLead, { body: ada, ...sent });
  const [created] = await eventsAbout(acme.accountId, id);
  return created?.request;
};

test('behind CloudFront, events contain the address and the host of the client, not of CloudFront or the gateway', async () => {
  for (const address of ['198.51.100.7', '2001:db8::7'])
    expect(await requestOf(from(address))).toMatchObject({
      ipAddress: address,
      headers: { host: 'api.example.com' },
    });
  expect(JSON.stringify(await requestOf(from('198.51.100.7')))).not.toContain('execute-api');
});

test('a client that calls the gateway directly cannot choose its address', async () => {
  const { headers } = from('198.51.100.7');
  const direct = { sourceIp: '203.0.113.9', headers };
  expect(await requestOf(direct)).toMatchObject({ ipAddress: '203.0.113.9' });
  // An invalid address is ignored even if the request comes from CloudFront.
  expect(await requestOf(from('unknown, 198.51.100.7'))).toMatchObject({ ipAddress: cloudFront });
});

test('behind CloudFront, wrong passwords from one address do not lock out a user at another address', async () => {
  const { adminEmail: email, adminPassword: password } = acme;
  const attempt = (secret: string, address: string) =>
    client({}).call(logIn, { body: { email, password: secret }, ...from(address) });
  for (let n = 0; n < 10; n++) expect((await attempt('wrong', '198.51.100.7')).status).toBe(401);
  expect((await attempt(password, '198.51.100.7')).status).toBe(429);
  expect((await attempt(password, '203.0.113.50')).status).toBe(200);
});

test('behind CloudFront, wrong appKeys from one address do not lock out applicants at another address', async () => {
  const wrong = applicant({ appKey: mintAppKey(), acctId: acme.accountId });
  const attempt = (address: string) =>
    wrong.call(readApplication, { params: { applicationId: 'app_0123456789' }, ...from(address) });
  for (let n = 0; n < 20; n++) expect((await attempt('198.51.100.8')).status).toBe(401);
  expect((await attempt('198.51.100.8')).status).toBe(429);
  expect((await attempt('203.0.113.51')).status).toBe(401);
});

test('the function of CloudFront replaces the headers of the viewer if the client sent them', () => {
  const handler = new Function(`${viewerFunctionCode}; return handler;`)();
  const headers = {
    host: { value: 'api.example.com' },
    'x-viewer-address': { value: '192.0.2.1', multiValue: [{ value: '192.0.2.1' }, { value: '192.0.2.2' }] },
    'x-viewer-host': { value: 'evil.example' },
  };
  expect(handler({ viewer: { ip: '198.51.100.7' }, request: { method: 'GET', headers } })).toEqual({
    method: 'GET',
    headers: {
      host: { value: 'api.example.com' },
      'x-viewer-address': { value: '198.51.100.7' },
      'x-viewer-host': { value: 'api.example.com' },
    },
  });
});
