import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import { routing } from '../../events/routing.ts';
import type { Manifest } from '../../infra/build/manifest.ts';
import { ApiAlarms } from '../../infra/constructs/service-alarms.ts';
import { limitRules } from '../../infra/constructs/source-limits.ts';
import { servingStackNames } from '../../infra/endpoint-stacks.ts';
import {
  environmentOf,
  requireDeployable,
  type StageSettings,
  stageNamed,
  tableOf,
} from '../../infra/stages.ts';
import { type QueueName, queueNames } from '../../shared/events/queues.ts';
import { portalPages } from '../../shared/resources/derived.ts';
import { tableDefinition } from '../../shared/table/definition.ts';
import {
  builtManifest,
  type Deployment,
  deploymentOf,
  emptyApp,
  expectResource,
  fewEndpoints,
  resources,
  servingTemplates,
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
  test('a protected stage cannot be deployed until its required settings are set', () => {
    expect(() => requireDeployable(stageNamed('prod'), {})).toThrow(
      'The stage prod needs alarmEmails, mailFrom, awsAccount, region, monthlyBudget. Set them in stages.local.json.',
    );
    expect(() => requireDeployable({ ...prod, alarmEmails: [] }, {})).toThrow(
      'The stage prod needs alarmEmails.',
    );
    expect(() => requireDeployable({ ...prod, maxReadRequestUnits: undefined }, {})).toThrow(
      'needs maxReadRequestUnits.',
    );
    expect(requireDeployable(prod, {})).toBe(prod);
    for (const name of ['dev', 'local']) expect(requireDeployable(stageNamed(name), {}).name).toBe(name);
  });

  test('a stage with a budget cannot be deployed without recipients, because AWS rejects such a budget', () => {
    const dev: StageSettings = { ...stageNamed('dev'), monthlyBudget: 50 };
    expect(() => requireDeployable(dev, {})).toThrow('The stage dev has monthlyBudget, but no recipients');
    const alarmEmails = ['ada@example.com'];
    expect(requireDeployable({ ...dev, alarmEmails }, {})).toMatchObject({ monthlyBudget: 50 });
  });

  test('a stage with an account and region cannot be deployed with credentials for another account or region', () => {
    const [CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION] = [prod.awsAccount, prod.region];
    expect(requireDeployable(prod, { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION })).toBe(prod);
    expect(() =>
      requireDeployable(prod, { CDK_DEFAULT_ACCOUNT: '210987654321', CDK_DEFAULT_REGION }),
    ).toThrow('The stage prod belongs to the account 123456789012, but the credentials are for 210987654321');
    expect(() => requireDeployable(prod, { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION: 'us-east-1' })).toThrow(
      'belongs to the region eu-central-1, but the credentials are for us-east-1',
    );
    for (const { account, region, stackName } of deployed.stacks)
      expect([account, region]).toEqual([
        prod.awsAccount,
        stackName === 'merchant-ops-prod-edge' ? 'us-east-1' : prod.region,
      ]);
  });

  test('passkeys belong to the API’s domain or to passkeyDomain, and only its own pages may use them', () => {
    const { domain: _, ...dev } = stageNamed('dev');
    const domain = {
      name: 'api.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/one',
    };
    const allowedOrigins = [
      'https://app.example.com',
      'https://example.com.attacker.example',
      'https://example.org',
    ];
    const siteOf = (stage: StageSettings) => {
      const { PASSKEY_DOMAIN, PASSKEY_ORIGINS } = environmentOf(stage);
      return [PASSKEY_DOMAIN, PASSKEY_ORIGINS];
    };
    expect(siteOf({ ...dev, allowedOrigins })).toEqual([undefined, undefined]);
    expect(siteOf({ ...dev, domain, allowedOrigins })).toEqual([
      'api.example.com',
      'https://api.example.com',
    ]);
    const shared = { ...dev, domain, allowedOrigins, passkeyDomain: 'example.com' };
    expect(siteOf(shared)).toEqual(['example.com', 'https://api.example.com https://app.example.com']);
    expect(requireDeployable(shared, {})).toBe(shared);
    expect(() => requireDeployable({ ...shared, passkeyDomain: 'example.net' }, {})).toThrow(
      'No page of the stage dev can use passkeys of example.net.',
    );
  });

  test('a stage with CloudFront cannot be deployed without a region, or with a certificate in another region', () => {
    const { edge, domain } = prod;
    const [dev, region] = [stageNamed('dev'), 'eu-central-1'];
    const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/one';
    const there = { name: 'api.example.com', certificateArn };
    expect(() => requireDeployable({ ...dev, edge }, {})).toThrow('has CloudFront and needs region');
    expect(requireDeployable({ ...dev, edge, domain, region }, {})).toMatchObject({ region });
    expect(() => requireDeployable({ ...dev, edge, domain: there, region }, {})).toThrow(
      'The certificate of the stage dev must be in us-east-1, but is in eu-central-1.',
    );
    expect(() => requireDeployable({ ...dev, domain, region }, {})).toThrow('must be in eu-central-1');
    expect(requireDeployable({ ...dev, domain: there, region }, {})).toMatchObject({ region });
  });

  test('a stage mails its alarms and budget alerts to its alarmEmails', () => {
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
    // A change of the recipients replaces the budget, which a fixed name would prevent.
    expectResource(deployed.watch, 'AWS::Budgets::Budget', { Budget: { BudgetName: Match.absent() } });
  });

  test('a stage limits the capacity of its table and of each index', () => {
    const [read, write] = [{ MaxReadRequestUnits: 12_000 }, { MaxWriteRequestUnits: 4_000 }];
    const indexes = tableDefinition.indexes.map(({ name }) => name);
    expectResource(deployed.data, 'AWS::DynamoDB::GlobalTable', {
      WriteOnDemandThroughputSettings: write,
      // A changed index key costs two writes.
      GlobalSecondaryIndexes: indexes.map(() =>
        Match.objectLike({ WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 8_000 } }),
      ),
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

  test('a stage with a domain and without CloudFront serves the API only there, and outputs the target of the DNS record', () => {
    const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/one';
    const domain = { name: 'api.example.com', certificateArn };
    const { api } = deploymentOf({ ...prod, edge: undefined, domain }, fewEndpoints(manifest));
    expectResource(api, 'AWS::ApiGatewayV2::DomainName', {
      DomainName: 'api.example.com',
      DomainNameConfigurations: [
        Match.objectLike({ CertificateArn: certificateArn, SecurityPolicy: 'TLS_1_2' }),
      ],
    });
    expectResource(api, 'AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    expectResource(api, 'AWS::ApiGatewayV2::ApiMapping', { Stage: Match.anyValue() });
    expect(api.findOutputs('Url')).toMatchObject({ Url: { Value: 'https://api.example.com' } });
    expect(JSON.stringify(api.findOutputs('DomainTarget'))).toContain('RegionalDomainName');
  });

  test('a stage with a restored table uses this table everywhere, and its data stack is unchanged', () => {
    const restored = deploymentOf({ ...prod, restoredTable }, manifest);
    expect(restored.data.toJSON()).toEqual(deployed.data.toJSON());
    // The table that operators' commands use.
    expect(tableOf({ ...prod, restoredTable })).toBe(restoredTable.name);
    const functions = [...servingTemplates(restored), restored.events].flatMap((template) =>
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

  test('a stage with all settings has no cdk-nag findings', () => {
    expect(new AwsSolutionsChecks(deployed.app).validateScope(deployed.app).violations).toEqual([]);
  });
});

describe('the gateway', () => {
  test('the gateway has lower limits only for sign-ins, and none that staff share with applicants', () => {
    const [{ RouteSettings, DefaultRouteSettings }] = stages();
    const throttleOf = ({ rateLimit, burstLimit }: StageSettings['throttle']) => ({
      ThrottlingRateLimit: rateLimit,
      ThrottlingBurstLimit: burstLimit,
    });
    const expected = manifest.endpoints.flatMap(({ contract: { method, path } }) =>
      path.startsWith('/auth/') ? [[`${method} ${path}`, throttleOf(prod.signInThrottle)]] : [],
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(RouteSettings).toEqual(Object.fromEntries(expected));
    expect(DefaultRouteSettings).toEqual(throttleOf(prod.throttle));
  });

  test('the gateway’s stage is created after the routes that have their own limits', () => {
    const routes = resources<{ RouteKey: string }>(deployed.api, 'AWS::ApiGatewayV2::Route');
    const [{ RouteSettings, waitsFor }] = stages();
    for (const key of Object.keys(RouteSettings))
      expect(waitsFor, key).toContain(routes.find(([, { RouteKey }]) => RouteKey === key)?.[0]);
  });
});

/** Matches an input of metric math: the sum of a gateway metric over five minutes. */
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
  test('an alarm is raised if at least 1% of the requests have a server error, but not for fewer than five errors', () => {
    expectResource(deployed.watch, 'AWS::CloudWatch::Alarm', {
      AlarmName: 'merchant-ops-prod-sales-server-errors',
      Threshold: 1,
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'IF(errors >= 5, 100 * errors / requests, 0)', ReturnData: true }),
        summed('errors', '5xx'),
        summed('requests', 'Count'),
      ]),
    });
  });

  test('an alarm in the stage for emulators uses a single metric, because emulators reject metric math', () => {
    const stack = new Stack(emptyApp(), 'stack');
    new ApiAlarms(stack, 'Alarms', {
      stage: stageNamed('local'),
      name: 'api',
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

  test('the alarm of a queue for events of many record types names none of the types', () => {
    const types = Object.keys(portalPages).map((type) => type.replaceAll('_', ' '));
    const of: QueueName[] = ['audit', 'search', 'cleanup'];
    const named = of.flatMap((queue) =>
      types.filter((type) => new RegExp(`\\b${type}s?\\b`).test(routing[queue].deadLetter)),
    );
    expect(named).toEqual([]);
  });

  test('every alarm has the metric, statistic, threshold, period and dimensions that this test lists', () => {
    const alarms = templatesOf(deployed).flatMap((template) =>
      resources<AlarmProperties>(template, 'AWS::CloudWatch::Alarm').map(([, alarm]) => [
        alarm.AlarmName.replace('merchant-ops-prod-', ''),
        [
          alarm.MetricName ?? 'metric math',
          alarm.Statistic ?? alarm.ExtendedStatistic,
          alarm.Threshold,
          alarm.Period,
          ...(alarm.Dimensions ?? []).flatMap(({ Value }) => (typeof Value === 'string' ? Value : [])),
        ]
          .filter((part) => part !== undefined)
          .join(' '),
      ]),
    );
    const { schedules } = manifest;
    const deadLetters = [...queueNames, 'relay', ...schedules.map(({ name }) => name)];
    const indexes = tableDefinition.indexes.map(({ name }) => [`index-${name}`, `${name} `]);
    const expected = [
      ...queueNames.map((name) => [`${name}-old`, 'ApproximateAgeOfOldestMessage Maximum 900 60']),
      ...queueNames.map((name) => [`${name}-lag`, `EventLag Maximum 300 300 ${name} prod`]),
      ...deadLetters.flatMap((name) => [
        [`${name}-dead-letters`, 'ApproximateNumberOfMessagesVisible Maximum 1 60'],
        [`${name}-dead-letters-old`, 'ApproximateAgeOfOldestMessage Maximum 259200 3600'],
      ]),
      ...schedules.map(({ name }) => [`${name}-errors`, 'Errors Sum 3 300']),
      ...schedules.flatMap(({ name, lag }) =>
        lag ? [[`${name}-lag`, `${lag.metric} Maximum ${lag.minutes * 60} 60 prod`]] : [],
      ),
      ...[['table', ''], ...indexes].flatMap(([part, index]) => [
        [`${part}-read-throttles`, `ReadThrottleEvents Sum 100 300 ${index}merchant-ops-prod`],
        [`${part}-write-throttles`, `WriteThrottleEvents Sum 100 300 ${index}merchant-ops-prod`],
      ]),
    ];
    expect(Object.fromEntries(alarms)).toEqual({
      ...Object.fromEntries(expected),
      'relay-behind': 'IteratorAge Maximum 300000 60',
      'seal-lag': 'SealLag Maximum 900 60 prod',
      'origin-refusals': 'OriginRefusals Sum 1 300 prod',
      'sender-refused': 'SenderRefusals Sum 1 300 prod',
      'mail-quarantined': 'metric math 0.5',
      'mail-bounces': 'Reputation.BounceRate Maximum 0.05 3600',
      'mail-complaints': 'Reputation.ComplaintRate Maximum 0.001 3600',
      ...Object.fromEntries(
        servingStackNames.flatMap((name) => [
          [`${name}-server-errors`, 'metric math 1'],
          [`${name}-slow`, 'Latency p99 3000 900'],
        ]),
      ),
      'lambda-throttles': 'Throttles Sum 1 300',
      'lambda-concurrency': 'ConcurrentExecutions Maximum 800 60',
    });
    expectResource(deployed.watch, 'AWS::CloudWatch::Alarm', {
      AlarmName: 'merchant-ops-prod-sales-slow',
      EvaluateLowSampleCountPercentile: 'ignore',
    });
  });
});

describe('the handbook', () => {
  const handbook = readFileSync(new URL('../../infra/handbook.md', import.meta.url), 'utf8');

  test('the handbook has exactly one line for each alarm', () => {
    const [, chapter = ''] = /^## What each alarm asks for$(.+?)^## /ms.exec(handbook) ?? [];
    const rows = [...chapter.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name = '', advice]) => {
      const anyOf = (names: readonly string[]) => `(${names.join('|')})`;
      const pattern = name
        .replace('{queue}', anyOf(queueNames))
        .replace('{api}', anyOf(servingStackNames))
        .replace('{index}', anyOf(tableDefinition.indexes.map((index) => index.name)))
        .replace('{schedule}', '[a-z-]+')
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

  test('the handbook lists exactly the deployed stacks, in the order of their deployment', () => {
    const stacks = deployed.stacks.map(({ node }) => node.id);
    const [, listed = ''] = /The stacks are ([^.]+)\./.exec(handbook) ?? [];
    expect([...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual(stacks);
    const others = stacks.filter((name) => name !== 'edge').join(' ');
    expect(handbook).toContain(`npx cdk deploy ${others} -c stage=prod`);
    expect(handbook).toContain(`for stack in ${others}; do`);
  });
});

describe('every function', () => {
  test('every function runs on Node 24 and arm64, with tracing and JSON logs', () => {
    const functions = templatesOf(deployed).flatMap((template) =>
      resources<FunctionProperties>(template, 'AWS::Lambda::Function'),
    );
    expect(functions.length).toBeGreaterThan(manifest.endpoints.length);
    for (const [, lambda] of functions) {
      expect(lambda).toMatchObject({
        Runtime: 'nodejs24.x',
        // The build names the file `entry` and its export `handler`.
        Handler: 'entry.handler',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
      });
      expect(lambda).not.toHaveProperty('ReservedConcurrentExecutions');
    }
  });
});

test('the dashboard shows the delay of the relay, every queue and dead-letter queue, Lambda errors, cold starts, and blocked requests', () => {
  const [[, { DashboardBody }] = ['', { DashboardBody: {} }]] = resources<{ DashboardBody: unknown }>(
    deployed.watch,
    'AWS::CloudWatch::Dashboard',
  );
  const body = JSON.stringify(DashboardBody);
  for (const shown of ['IteratorAge', 'EventLag', 'Errors', 'Throttles', 'ispresent(cold)'])
    expect(body).toContain(shown);
  for (const { name } of limitRules)
    expect(body).toContain(
      `BlockedRequests\\",\\"Rule\\",\\"${name}\\",\\"WebACL\\",\\"merchant-ops-prod\\"`,
    );
  for (const [, { QueueName }] of resources<{ QueueName: string }>(deployed.events, 'AWS::SQS::Queue'))
    expect(body).toContain(`QueueName\\",\\"${QueueName}\\"`);
});

/** Returns the API's stage, with the logical ids of the resources that must be created before the stage. */
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
  Statistic?: string;
  ExtendedStatistic?: string;
  Period?: number;
  Dimensions?: { Value: unknown }[];
}
