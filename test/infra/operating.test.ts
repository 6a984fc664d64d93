import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Manifest } from '../../infra/build/manifest.ts';
import { ApiAlarms } from '../../infra/constructs/api-alarms.ts';
import { requireDeployable, type StageSettings, stageNamed, tableOf } from '../../infra/stages.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { queueNames } from '../../shared/events/queues.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import {
  builtManifest,
  type Deployment,
  deploymentOf,
  emptyApp,
  expectResource,
  resources,
  templatesOf,
} from '../harness/deployment.ts';
import { completedProd as prod } from '../harness/production.ts';

const restoredTable = {
  name: 'merchant-ops-prod-restored',
  streamArn: 'arn:aws:dynamodb:eu-central-1:123456789012:table/merchant-ops-prod-restored/stream/now',
};

let manifest: Manifest;
let deployed: Deployment;

beforeAll(async () => {
  manifest = await builtManifest();
  deployed = deploymentOf(prod, manifest);
});

describe('a stage', () => {
  test('a stage that is to last is refused in one sentence while its operator has not said what it needs', () => {
    expect(() => requireDeployable(stageNamed('prod'), {})).toThrow(
      'The stage prod lacks alarmEmails, mailFrom, awsAccount, region, monthlyBudget: say them in infra/stages.ts.',
    );
    expect(() => requireDeployable({ ...prod, alarmEmails: [] }, {})).toThrow(
      'The stage prod lacks alarmEmails:',
    );
    expect(() => requireDeployable({ ...prod, maxReadRequestUnits: undefined }, {})).toThrow(
      'lacks maxReadRequestUnits:',
    );
    expect(requireDeployable(prod, {})).toBe(prod);
    for (const name of ['dev', 'local']) expect(requireDeployable(stageNamed(name), {}).name).toBe(name);
  });

  test('a stage that names its account and region is refused with credentials of another', () => {
    const [CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION] = [prod.awsAccount, prod.region];
    expect(requireDeployable(prod, { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION })).toBe(prod);
    expect(() =>
      requireDeployable(prod, { CDK_DEFAULT_ACCOUNT: '210987654321', CDK_DEFAULT_REGION }),
    ).toThrow('The stage prod belongs to the account 123456789012, and the credentials are of 210987654321');
    expect(() => requireDeployable(prod, { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION: 'us-east-1' })).toThrow(
      'belongs to the region eu-central-1, and the credentials are of us-east-1',
    );
    for (const { account, region } of deployed.stacks)
      expect([account, region]).toEqual([prod.awsAccount, prod.region]);
  });

  test('a stage mails its alarms and its budget to whom it names', () => {
    const mailed = resources<{ Protocol: string; Endpoint: string }>(deployed.data, 'AWS::SNS::Subscription');
    expect(mailed.map(([, { Protocol, Endpoint }]) => [Protocol, Endpoint])).toEqual([
      ['email', 'ada@example.com'],
      ['email', 'grace@example.com'],
    ]);
    const subscribers = prod.alarmEmails?.map((Address) => ({ Address, SubscriptionType: 'EMAIL' }));
    expectResource(deployed.watch, 'AWS::Budgets::Budget', {
      Budget: { BudgetLimit: { Amount: 500, Unit: 'USD' }, TimeUnit: 'MONTHLY' },
      NotificationsWithSubscribers: [
        Match.objectLike({
          Notification: Match.objectLike({ Threshold: 80, NotificationType: 'ACTUAL' }),
          Subscribers: subscribers,
        }),
        Match.objectLike({ Notification: Match.objectLike({ NotificationType: 'FORECASTED' }) }),
      ],
    });
  });

  test('a stage gives its table and each index so many units a second and no more', () => {
    const [read, write] = [{ MaxReadRequestUnits: 12_000 }, { MaxWriteRequestUnits: 4_000 }];
    const indexes = tableDefinition.indexes.map(({ name }) => name);
    expectResource(deployed.data, 'AWS::DynamoDB::GlobalTable', {
      WriteOnDemandThroughputSettings: write,
      GlobalSecondaryIndexes: indexes.map(() => Match.objectLike({ WriteOnDemandThroughputSettings: write })),
      Replicas: [
        Match.objectLike({
          ReadOnDemandThroughputSettings: read,
          GlobalSecondaryIndexes: indexes.map((IndexName) =>
            Match.objectLike({ IndexName, ReadOnDemandThroughputSettings: read }),
          ),
        }),
      ],
    });
  });

  test('a stage with a domain serves the API there, and says what the name is to point at', () => {
    expectResource(deployed.api, 'AWS::ApiGatewayV2::DomainName', {
      DomainName: 'api.example.com',
      DomainNameConfigurations: [
        Match.objectLike({ CertificateArn: prod.domain?.certificateArn, SecurityPolicy: 'TLS_1_2' }),
      ],
    });
    expectResource(deployed.api, 'AWS::ApiGatewayV2::ApiMapping', { Stage: Match.anyValue() });
    expect(deployed.api.findOutputs('Url')).toMatchObject({ Url: { Value: 'https://api.example.com' } });
    expect(JSON.stringify(deployed.api.findOutputs('DomainTarget'))).toContain('RegionalDomainName');
  });

  test('a stage that names a restored table uses it everywhere, and leaves the stack of its own table as it is', () => {
    const restored = deploymentOf({ ...prod, restoredTable }, manifest);
    expect(restored.data.toJSON()).toEqual(deployed.data.toJSON());
    // What operators' commands take for the table of the stage.
    expect(tableOf({ ...prod, restoredTable })).toBe(restoredTable.name);
    const functions = [restored.api, restored.support, restored.events].flatMap((template) =>
      resources<FunctionProperties>(template, 'AWS::Lambda::Function'),
    );
    const tables = functions.flatMap(([, { Environment }]) => Environment?.Variables.TABLE_NAME ?? []);
    expect(new Set(tables)).toEqual(new Set([restoredTable.name]));
    for (const template of templatesOf(restored).slice(1)) {
      expect(JSON.stringify(template.toJSON())).not.toContain('GetAttTable');
      expect(JSON.stringify(template.toJSON())).not.toMatch(/"merchant-ops-prod"(?!\})[^:]*TableName/);
    }
    expectResource(restored.events, 'AWS::Lambda::EventSourceMapping', {
      EventSourceArn: restoredTable.streamArn,
      StartingPosition: 'TRIM_HORIZON',
    });
    const rights = JSON.stringify(resources(restored.api, 'AWS::IAM::Role'));
    expect(rights).toContain(`table/${restoredTable.name}`);
    expect(new AwsSolutionsChecks(restored.app).validateScope(restored.app).violations).toEqual([]);
  });

  test('a stage with all its settings is clean by cdk-nag', () => {
    expect(new AwsSolutionsChecks(deployed.app).validateScope(deployed.app).violations).toEqual([]);
  });
});

describe('the gateway', () => {
  test('the gateway lets fewer requests to sign-ins and to the links of applications than to the rest, and no others', () => {
    const [{ RouteSettings, DefaultRouteSettings }] = stages();
    const throttleOf = ({ rateLimit, burstLimit }: StageSettings['throttle']) => ({
      ThrottlingRateLimit: rateLimit,
      ThrottlingBurstLimit: burstLimit,
    });
    const expected = manifest.endpoints.flatMap(({ contract: { method, path, applicant } }) => {
      if (path.startsWith('/auth/')) return [[`${method} ${path}`, throttleOf(prod.signInThrottle)]];
      return applicant ? [[`${method} ${path}`, throttleOf(prod.applicantThrottle)]] : [];
    });
    expect(expected.length).toBeGreaterThan(10);
    expect(RouteSettings).toEqual(Object.fromEntries(expected));
    expect(DefaultRouteSettings).toEqual(throttleOf(prod.throttle));
  });

  test('the gateway has the routes before it hears of their throttles', () => {
    const routes = resources<{ RouteKey: string }>(deployed.api, 'AWS::ApiGatewayV2::Route');
    const [{ RouteSettings, waitsFor }] = stages();
    for (const key of Object.keys(RouteSettings))
      expect(waitsFor, key).toContain(routes.find(([, { RouteKey }]) => RouteKey === key)?.[0]);
  });
});

/** A metric of the gateway over five minutes, as an alarm reckons with it. */
const summed = (Id: string, MetricName: string) =>
  Match.objectLike({
    Id,
    ReturnData: false,
    MetricStat: {
      Metric: {
        Namespace: 'AWS/ApiGateway',
        MetricName,
        Dimensions: [{ Name: 'ApiId', Value: Match.anyValue() }],
      },
      Period: 300,
      Stat: 'Sum',
    },
  });

describe('an alarm', () => {
  test('an alarm sounds for server errors where they are one of a hundred requests and five at least', () => {
    expectResource(deployed.watch, 'AWS::CloudWatch::Alarm', {
      AlarmName: 'merchant-ops-prod-server-errors',
      Threshold: 1,
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'IF(errors >= 5, 100 * errors / requests, 0)', ReturnData: true }),
        summed('errors', '5xx'),
        summed('requests', 'Count'),
      ]),
    });
  });

  test('an alarm is reckoned from one metric alone in the stage for emulators, which refuse others', () => {
    const stack = new Stack(emptyApp(), 'stack');
    new ApiAlarms(stack, 'Alarms', {
      stage: stageNamed('local'),
      api: new HttpApi(stack, 'Api'),
      alarmTopic: new Topic(stack, 'Topic'),
    });
    const alarms = resources<AlarmProperties>(Template.fromStack(stack), 'AWS::CloudWatch::Alarm');
    expect(alarms).toHaveLength(2);
    for (const [, { Metrics, MetricName }] of alarms) {
      expect(Metrics).toBeUndefined();
      expect(MetricName).toEqual(expect.any(String));
    }
    expect(alarms.map(([, { MetricName }]) => MetricName).sort()).toEqual(['5xx', 'Latency']);
  });

  test('an alarm sounds for an event that was sealed half an hour late', () => {
    expectResource(deployed.events, 'AWS::CloudWatch::Alarm', {
      AlarmName: 'merchant-ops-prod-seal-lag',
      Namespace: 'merchant-ops',
      MetricName: 'SealLag',
      Dimensions: [{ Name: 'stage', Value: 'prod' }],
      Statistic: 'Maximum',
      Threshold: 900,
    });
  });

  test('an alarm sounds for slow requests, for what Lambda has no room for, and for each throttle of the table', () => {
    const found = Object.fromEntries(
      resources<AlarmProperties>(deployed.watch, 'AWS::CloudWatch::Alarm').map(
        ([, { AlarmName, MetricName, Threshold }]) => [
          AlarmName.replace('merchant-ops-prod-', ''),
          `${MetricName} ${Threshold}`,
        ],
      ),
    );
    expect(found).toEqual({
      'server-errors': 'undefined 1',
      slow: 'Latency 3000',
      'lambda-throttles': 'Throttles 1',
      'lambda-concurrency': 'ConcurrentExecutions 800',
      'sender-refused': 'SenderRefusals 1',
      ...Object.fromEntries(
        ['table', ...tableDefinition.indexes.map(({ name }) => `index-${name}`)].flatMap((what) => [
          [`${what}-read-throttles`, 'ReadThrottleEvents 100'],
          [`${what}-write-throttles`, 'WriteThrottleEvents 100'],
        ]),
      ),
    });
    expectResource(deployed.watch, 'AWS::CloudWatch::Alarm', {
      AlarmName: 'merchant-ops-prod-slow',
      ExtendedStatistic: 'p99',
      EvaluateLowSampleCountPercentile: 'ignore',
    });
  });
});

describe('the handbook', () => {
  const handbook = readFileSync(new URL('../../infra/handbook.md', import.meta.url), 'utf8');

  test('the handbook has one line for each alarm, and no line for what is none', () => {
    const rows = [...handbook.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name = '', advice]) => {
      const anyOf = (names: readonly string[]) => `(${names.join('|')})`;
      const pattern = name
        .replace('{queue}', anyOf(queueNames))
        .replace('{index}', anyOf(tableDefinition.indexes.map((index) => index.name)))
        .replace('{schedule}', 'schedules-[a-z-]+')
        .replace('{dead-letters}', '[a-z-]+-dead-letters');
      return { name, advice, pattern: new RegExp(`^${pattern}$`) };
    });
    const alarms = templatesOf(deployed).flatMap((template) =>
      resources<AlarmProperties>(template, 'AWS::CloudWatch::Alarm').map(([, { AlarmName }]) =>
        AlarmName.replace('merchant-ops-prod-', ''),
      ),
    );
    expect(new Set(alarms).size).toBe(alarms.length);
    for (const alarm of alarms)
      expect(
        rows.filter(({ pattern }) => pattern.test(alarm)).map(({ name }) => name),
        alarm,
      ).toHaveLength(1);
    for (const { name, pattern } of rows)
      expect(
        alarms.some((alarm) => pattern.test(alarm)),
        name,
      ).toBe(true);
  });

  test('the handbook names commands that there are', () => {
    const named = [...handbook.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(named.length).toBeGreaterThan(5);
    for (const script of named) expect(Object.keys(packageJson.scripts)).toContain(script);
  });
});

describe('every function', () => {
  test('every function runs on Node 24 and arm64, traced, and logs as JSON what is worth a line', () => {
    const functions = templatesOf(deployed).flatMap((template) =>
      resources<FunctionProperties>(template, 'AWS::Lambda::Function'),
    );
    expect(functions.length).toBeGreaterThan(manifest.endpoints.length);
    for (const [, lambda] of functions) {
      expect(lambda).toMatchObject({
        Runtime: 'nodejs24.x',
        // As the build names the file and what it exports.
        Handler: 'entry.handler',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
      });
      expect(lambda).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });
});

test('the dashboard shows the age of the relay, every queue and its dead letters, errors of Lambda, and cold starts', () => {
  const [[, { DashboardBody }] = ['', { DashboardBody: {} }]] = resources<{ DashboardBody: unknown }>(
    deployed.watch,
    'AWS::CloudWatch::Dashboard',
  );
  const body = JSON.stringify(DashboardBody);
  for (const shown of ['IteratorAge', 'EventLag', 'Errors', 'Throttles', 'ispresent(cold)'])
    expect(body).toContain(shown);
  for (const [, { QueueName }] of resources<{ QueueName: string }>(deployed.events, 'AWS::SQS::Queue'))
    expect(body).toContain(`QueueName\\",\\"${QueueName}\\"`);
});

/** The one stage of the API, with what it waits for. */
function stages() {
  const found = Object.values(deployed.api.findResources('AWS::ApiGatewayV2::Stage'));
  expect(found).toHaveLength(1);
  return found.map(({ Properties, DependsOn }) => ({
    RouteSettings: Properties.RouteSettings as Record<string, unknown>,
    DefaultRouteSettings: Properties.DefaultRouteSettings as unknown,
    waitsFor: DependsOn as string[],
  })) as [{ RouteSettings: Record<string, unknown>; DefaultRouteSettings: unknown; waitsFor: string[] }];
}

interface FunctionProperties {
  Environment?: { Variables: Record<string, unknown> };
}
interface AlarmProperties {
  AlarmName: string;
  MetricName?: string;
  Metrics?: unknown;
  Threshold: number;
  Dimensions?: { Value: unknown }[];
}
