import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../infra/administration/free-port.ts';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';
import { awsLimits } from '../../infra/quotas/check.ts';
import { operatorsCommand, runNode } from '../harness/operators-command.ts';

interface Asked {
  operation: string;
  region: string | undefined;
  code: string;
}

/** The quotas of the account and AWS's defaults, by quota code. Other quotas do not exist. */
let account: Record<string, number>;
let defaults: Record<string, number>;
/** If set, the server responds with this error. */
let error: { status: number; type: string; message: string } | undefined;
let asked: Asked[];

/** Speaks the JSON protocol of the Service Quotas API. */
const server = await startLoopbackServer(async (request, response) => {
  const { QuotaCode: code, ServiceCode: service } = JSON.parse(await text(request));
  const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
  const [, region] = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(request.headers.authorization ?? '') ?? [];
  asked.push({ operation, region, code });
  const Value = (operation === 'GetServiceQuota' ? account : defaults)[code];
  const failed =
    error ?? (Value === undefined && { status: 400, type: 'NoSuchResourceException', message: code });
  response.writeHead(failed ? failed.status : 200, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(
    JSON.stringify(
      failed
        ? { __type: failed.type, message: failed.message }
        : { Quota: { ServiceCode: service, QuotaCode: code, Value } },
    ),
  );
});
afterAll(() => server.stop());
afterAll(() => void vi.unstubAllEnvs());

const check = operatorsCommand('quotas', 'check');
/** Every quota with its documented default. */
const documented = Object.fromEntries(
  awsLimits.flatMap(({ quota, allowed }) =>
    quota
      ? [
          [
            quota.quotaCode,
            (typeof allowed === 'number' ? allowed : allowed('eu-central-1')) / (quota.unit ?? 1),
          ],
        ]
      : [],
  ),
);

beforeEach(() => {
  account = { ...documented };
  defaults = {};
  error = undefined;
  asked = [];
  vi.stubEnv('AWS_ENDPOINT_URL_SERVICE_QUOTAS', server.endpoint);
  vi.stubEnv('AWS_REGION', 'eu-central-1');
});

test('with the default quotas, nothing has to be increased', async () => {
  const { code, stdout, stderr } = await check.here('--stage', 'prod');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Lambda +concurrent executions \(the setting concurrencyQuota\) +eu-central-1 +1,000 +1,000 +sufficient$/m,
  );
  expect(stdout).toMatch(/\nThe quotas are sufficient for the stage prod\.\n$/);
});

test('the quotas of IAM and CloudFront are read in us-east-1, the others in the region of the stage', async () => {
  await check.here('--stage', 'prod');
  const regionOf = (quota: string) => asked.find(({ code }) => code === quota)?.region;
  expect(['L-0DA4ABF3', 'L-24B04930', 'L-B99A9384'].map(regionOf)).toEqual([
    'us-east-1',
    'us-east-1',
    'eu-central-1',
  ]);
});

test('for quotas of a new account, the requests for increases are printed, and the exit code is 1', async () => {
  Object.assign(account, { 'L-B99A9384': 10, 'L-2ACBD22F': 0.1, 'L-FE177D64': 20 });
  const { code, stdout } = await check.here('--stage', 'prod');
  expect(code).toBe(1);
  const request = (region: string, service: string, quota: string, value: string) =>
    new RegExp(
      `^aws service-quotas request-service-quota-increase --region ${region} --service-code ${service} --quota-code ${quota} --desired-value ${value}$`,
      'm',
    );
  expect(stdout).toMatch(request('eu-central-1', 'lambda', 'L-B99A9384', '1000'));
  // The code of about 280 functions, in GB.
  expect(stdout).toMatch(request('eu-central-1', 'lambda', 'L-2ACBD22F', '1'));
  expect(stdout).toMatch(request('us-east-1', 'iam', 'L-FE177D64', '\\d+'));
  expect(stdout.match(/^aws service-quotas/gm)).toHaveLength(3);
  expect(stdout).toMatch(/^Lambda +concurrent executions .* 10 +increase to 1,000$/m);
});

test('a quota without a value of the account has AWS’s default, and a quota without a default the documented one', async () => {
  delete account['L-B99A9384'];
  delete account['L-FE177D64'];
  defaults = { 'L-B99A9384': 500 };
  const { code, stdout } = await check.here('--stage', 'prod', '--json');
  expect(code).toBe(1);
  const compared: { counted: string; needed: number; allowed: number; increase?: object }[] =
    JSON.parse(stdout);
  expect(compared.filter(({ increase }) => increase)).toEqual([
    {
      service: 'Lambda',
      counted: 'concurrent executions (the setting concurrencyQuota)',
      region: 'eu-central-1',
      needed: 1000,
      allowed: 500,
      increase: {
        serviceCode: 'lambda',
        quotaCode: 'L-B99A9384',
        region: 'eu-central-1',
        desiredValue: 1000,
      },
    },
  ]);
  expect(compared.find(({ counted }) => counted === 'roles in the account')?.allowed).toBe(1000);
});

test.each([
  [
    'AccessDeniedException',
    'The credentials need the rights servicequotas:GetServiceQuota and servicequotas:GetAWSDefaultServiceQuota: no.\n',
  ],
  ['UnrecognizedClientException', 'AWS rejects the credentials: no.\n'],
  ['ServiceException', 'no.\n'],
])('the error %s is explained in one sentence, and the exit code is 1', async (type, stderr) => {
  error = { status: 400, type, message: 'no.' };
  expect(await check.here('--stage', 'dev')).toEqual({ code: 1, stdout: '', stderr });
});

test('an unreachable API is explained in one sentence', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_SERVICE_QUOTAS', `http://127.0.0.1:${await freePort()}`);
  const { code, stderr } = await check.here('--stage', 'dev');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The Service Quotas API cannot be reached: connect ECONNREFUSED .+\.\n$/),
  ]);
  vi.unstubAllEnvs();
});

test('missing credentials and a missing region are explained in one sentence', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent/config');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent/credentials');
  expect(await check.here('--stage', 'dev')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There are no AWS credentials. Set AWS_PROFILE, or log in with the AWS CLI.\n',
  });
  vi.stubEnv('AWS_REGION', undefined);
  expect(await check.here('--stage', 'dev')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'No region is set. Set region in stages.local.json, or AWS_REGION.\n',
  });
  vi.unstubAllEnvs();
});

test('the command runs as npm runs it', async () => {
  const { code, stdout } = await runNode(
    ...['--import', 'tsx', 'infra/operations/main.ts', 'quotas', 'check', '--stage', 'dev', '--json'],
  );
  expect(code).toBe(0);
  expect(JSON.parse(stdout).length).toBeGreaterThan(10);
});
