import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { stage as stageOption } from '../../infra/operations/options.ts';
import { overriddenStage, overridesFile } from '../../infra/stage-overrides.ts';
import { requireDeployable, stageNamed } from '../../infra/stages.ts';
import { runNode } from '../harness/operators-command.ts';

const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-overrides-'));
const before = process.cwd();
beforeAll(() => process.chdir(folder));
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});
const write = (content: unknown) => writeFileSync(overridesFile, JSON.stringify(content));
beforeEach(() => rmSync(overridesFile, { force: true }));

const required = {
  alarmEmails: ['ops@example.com'],
  mailFrom: 'Acme <notifications@example.com>',
  awsAccount: '123456789012',
  region: 'eu-central-1',
  monthlyBudget: 500,
};

test.each([
  'arn:aws:iam::123456789012:server-certificate/one',
  'one',
  'x arn:aws:acm:us-east-1:1:certificate/one',
])('the certificate %s, which is no ARN of ACM, is refused', (certificateArn) => {
  const domain = { name: 'api.example.com', certificateArn };
  expect(() => overriddenStage('dev', JSON.stringify({ domain }))).toThrow(
    'dev.domain.certificateArn must look like "arn:aws:acm:us-east-1:123456789012:certificate/one"',
  );
});

test('without overrides, a stage has its default settings', () => {
  for (const name of ['dev', 'prod', 'local'])
    expect(overriddenStage(name)).toEqual({ stage: stageNamed(name), used: [] });
});

test('stages.local.json overrides the settings of its stages, and makes prod deployable', () => {
  write({ prod: { ...required, throttle: { rateLimit: 50, burstLimit: 100 } }, dev: { logDays: 30 } });
  const { stage, used } = overriddenStage('prod');
  expect(stage).toEqual({
    ...stageNamed('prod'),
    ...required,
    throttle: { rateLimit: 50, burstLimit: 100 },
  });
  expect(requireDeployable(stage, {})).toBe(stage);
  expect(used).toEqual([
    'Settings of the stage prod from stages.local.json: alarmEmails, mailFrom, awsAccount, region, monthlyBudget, throttle.',
  ]);
  expect(overriddenStage('local').used).toEqual([]);
});

test('settings in the option “-c settings” override the file, and apply only to the chosen stage', () => {
  write({ prod: { monthlyBudget: 500, region: 'eu-central-1' }, dev: { requestsPerMinute: 60 } });
  const { stage, used } = overriddenStage('prod', '{"monthlyBudget": 900}');
  expect(stage).toMatchObject({ monthlyBudget: 900, region: 'eu-central-1', requestsPerMinute: 600 });
  expect(used).toEqual([
    'Settings of the stage prod from stages.local.json: monthlyBudget, region.',
    'Settings of the stage prod from -c settings: monthlyBudget.',
  ]);
  expect(overriddenStage('prod', { monthlyBudget: 700 }).stage.monthlyBudget).toBe(700);
});

test('null removes an optional setting, but not a required setting', () => {
  write({ prod: { errorPercent: null, domain: null } });
  const { errorPercent: _, ...rest } = stageNamed('prod');
  expect(overriddenStage('prod').stage).toEqual(rest);
  write({ prod: { logDays: null } });
  expect(() => overriddenStage('prod')).toThrow('prod.logDays must be of the type integer');
});

test('an operators’ command uses the overrides, for example the restored table', async () => {
  const restoredTable = { name: 'restored', streamArn: 'arn:aws:dynamodb:eu:1:table/restored/stream/now' };
  write({ prod: { restoredTable } });
  expect(await stageOption.parse('prod')).toMatchObject({ restoredTable });
  expect(stageOption.parse('moon')).toBeUndefined();
});

test('one message lists all problems of stages.local.json and of the option “-c settings”', () => {
  write({
    prd: {},
    dev: { logDays: 8, allowedOrigins: ['http://localhost:5173/'] },
    prod: {
      monthlyBugdet: 1,
      monthlyBudget: '500',
      alarmEmails: ['ops'],
      domain: { name: 'api.example.com' },
    },
    local: { requestsPerMinute: 0.5, throttle: { rateLimit: 1, burstLimit: 1, limit: 1 } },
  });
  let message = '';
  try {
    overriddenStage('local', { name: 'qa', awsAccount: '1' });
  } catch (error) {
    message = String(error);
  }
  const problems = message.replace('InvalidSettings: ', '').replace(/\.$/, '').split('; ');
  expect(problems.sort()).toEqual([
    '-c settings: local.awsAccount must look like "123456789012"',
    '-c settings: local.name is not a setting',
    'stages.local.json: dev.allowedOrigins.0 must look like "https://app.example.com"',
    'stages.local.json: dev.logDays must be one of 1, 7, 30, 90, 365',
    'stages.local.json: local.requestsPerMinute must be >= 1',
    'stages.local.json: local.requestsPerMinute must be of the type integer',
    'stages.local.json: local.throttle.limit is not a setting',
    'stages.local.json: prd is not a stage (dev, prod, local)',
    'stages.local.json: prod.alarmEmails.0 must look like "ops@example.com"',
    'stages.local.json: prod.domain.certificateArn is missing',
    'stages.local.json: prod.monthlyBudget must be of the type number',
    'stages.local.json: prod.monthlyBugdet is not a setting',
  ]);
});

test.each([
  ['{"prod": ', undefined, 'stages.local.json is not valid JSON.'],
  ['[]', undefined, 'stages.local.json: the content must be of the type object.'],
  ['{"prod": null}', undefined, 'stages.local.json: prod must be of the type object.'],
  ['{}', 'monthlyBudget=500', '-c settings is not valid JSON.'],
  ['{}', '500', '-c settings: prod must be of the type object.'],
])('the file %s and the option %s are rejected', (file, option, message) => {
  writeFileSync(overridesFile, file);
  expect(() => overriddenStage('prod', option)).toThrow(message);
});

test('the synthesis prints the overrides in use and all settings that are still missing', async () => {
  const context = { stage: 'prod', settings: { ...required, region: null, monthlyBudget: null } };
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify(context));
  const { code, stderr } = await runNode('--import', 'tsx', 'infra/app.ts').finally(() => vi.unstubAllEnvs());
  expect(code).toBe(1);
  expect(stderr).toContain('Settings of the stage prod from -c settings: alarmEmails, mailFrom, awsAccount');
  expect(stderr).toContain('The stage prod needs region, monthlyBudget. Set them in stages.local.json.');
});
