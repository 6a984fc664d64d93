import { Stack } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import type { Manifest } from '../../infra/build/manifest.ts';
import { type Arns, FunctionRole } from '../../infra/constructs/function-role.ts';
import { endpointStacks, pathPatterns } from '../../infra/endpoint-stacks.ts';
import { functionEnvironment } from '../../infra/local/function-environment.ts';
import { endpointStatements, rightsOf } from '../../infra/rights/endpoint-rights.ts';
import { consumerStatements, receivingQueues } from '../../infra/rights/event-rights.ts';
import { mergeStatements } from '../../infra/rights/merge-statements.ts';
import type { Statement } from '../../infra/rights/statement.ts';
import { stageNamed } from '../../infra/stages.ts';
import type { Contract } from '../../shared/endpoints/contract.ts';
import { type QueueName, queueNames, queueUrlVariable } from '../../shared/events/queues.ts';
import { parseKeyring } from '../../shared/security/keyring.ts';
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
  target,
  templatesOf,
} from '../harness/deployment.ts';

/** CloudFormation allows 500 resources in a stack; 50 are reserved for additions. */
const mostResources = 450;
/** CloudFormation allows a million bytes in a template; 200,000 are reserved for additions. */
const mostBytes = 800_000;
const mostEndpoints = 135;

let contracts: Contract[];
let manifest: Manifest;
let few: Manifest;
let prod: Deployment;
let dev: Deployment;

beforeAll(async () => {
  manifest = await builtManifest();
  few = fewEndpoints(manifest);
  contracts = (await loadEndpoints()).map(({ endpoint }) => endpoint.contract);
  prod = deploymentOf(stageNamed('prod'), manifest);
  dev = deploymentOf(stageNamed('dev'), manifest);
});

describe('the api', () => {
  test('the api has exactly one route for each contract', () => {
    const isDefault = (route: string) => route === '$default';
    const routes = servingTemplates(prod).flatMap(routesOf);
    expect(routes.filter((route) => !isDefault(route)).sort()).toEqual(
      contracts
        .map(routeKey)
        .filter((route) => !isDefault(route))
        .sort(),
    );
  });

  test('each API responds to unknown paths with the same function, and only the front may be called directly', () => {
    const [name] = manifest.endpoints.flatMap((one) => (one.contract.path === '$default' ? one.name : []));
    for (const deployment of [prod, dev])
      for (const template of servingTemplates(deployment)) {
        const routes = resources<RouteProperties>(template, 'AWS::ApiGatewayV2::Route');
        const isFront = deployment === dev && template === deployment.api;
        const stage = deployment === prod ? 'prod' : 'dev';
        for (const [id, { RouteKey, AuthorizationType, AuthorizerId, ApiId }] of routes) {
          const isOpen = isFront || RouteKey === '$default' || RouteKey.startsWith('ANY ');
          expect([AuthorizationType, AuthorizerId === undefined], id).toEqual([
            isOpen ? 'NONE' : 'CUSTOM',
            isOpen,
          ]);
          const isForwarded = RouteKey.startsWith('ANY ');
          expect(JSON.stringify(ApiId), id).toContain(
            isForwarded ? `merchant-ops-${stage}-api:ExportsOutputRefApi` : '"Ref":"Api',
          );
        }
        const [unknown] = routes.filter(([, { RouteKey }]) => RouteKey === '$default');
        const integrations = new Map(
          resources<{ IntegrationUri: unknown }>(template, 'AWS::ApiGatewayV2::Integration'),
        );
        const uri = JSON.stringify(integrations.get(target(unknown?.[1].Target))?.IntegrationUri);
        expect(uri).toMatch(
          template === deployment.api ? /unknown/ : new RegExp(`:function:merchant-ops-${stage}-${name}"`),
        );
      }
  });

  test('without CloudFront, the front forwards the paths of the other APIs with its token and the address of the caller', () => {
    for (const [n, { segments }] of endpointStacks.entries()) {
      const template = dev.endpointStacks[n];
      if (!template) throw new Error('A stack is missing.');
      const forwarded = routesOf(template).filter((route) => route.startsWith('ANY '));
      expect(forwarded.sort()).toEqual(
        segments.flatMap((segment) => [`ANY /${segment}`, `ANY /${segment}/{below+}`]).sort(),
      );
      expectResource(template, 'AWS::ApiGatewayV2::Integration', {
        IntegrationType: 'HTTP_PROXY',
        IntegrationUri: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Api'), 'ApiEndpoint'] },
        RequestParameters: {
          'overwrite:path': '$request.path',
          'overwrite:header.x-origin-token':
            '{{resolve:secretsmanager:merchant-ops-dev-origin-token:SecretString:1::}}',
          'overwrite:header.x-viewer-address': '$context.identity.sourceIp',
          'overwrite:header.x-viewer-host': '$context.domainName',
        },
      });
    }
  });

  test('no setting removes an export that another stack imports', () => {
    const { edge, ...withoutEdge } = stageNamed('prod');
    const complete = deploymentOf(stageNamed('prod'), few);
    const without = deploymentOf(withoutEdge, few);
    const exportsOf = (deployment: Deployment) =>
      templatesOf(deployment).flatMap((template) =>
        Object.values(template.findOutputs('*')).flatMap(({ Export }) => Export?.Name ?? []),
      );
    expect(exportsOf(without).sort()).toEqual(exportsOf(complete).sort());
    expect(without.edge?.toJSON().Resources).toEqual({
      Empty: { Type: 'AWS::CloudFormation::WaitConditionHandle' },
    });
  });

  test('CloudFormation adds at most ten endpoints to an API at the same time', () => {
    for (const template of servingTemplates(prod)) {
      const integrations = Object.entries(template.findResources('AWS::ApiGatewayV2::Integration'));
      const routes = template.findResources('AWS::ApiGatewayV2::Route');
      const waiting = integrations.filter(([, { DependsOn }]) =>
        [DependsOn ?? []].flat().some((other) => String(other) in routes),
      );
      expect(integrations.length - waiting.length).toBeLessThanOrEqual(10);
    }
  });

  test('a path pattern of CloudFront that would match an endpoint of another API is refused', () => {
    const endpoints = manifest.endpoints.slice(0, 1).map((endpoint) => ({
      ...endpoint,
      contract: { ...endpoint.contract, path: '/leads-archive/{id}' },
    })) as Manifest['endpoints'];
    expect(() => pathPatterns(endpoints)).toThrow(
      'CloudFront would send /leads-archive to the stack sales, because of the segment leads.',
    );
    const split = [...endpointStacks, { name: 'archive', segments: ['leads-archive'] }];
    const patterns = pathPatterns(endpoints, split).map(({ pattern }) => pattern);
    expect(patterns.indexOf('/leads-archive*')).toBeLessThan(patterns.indexOf('/leads*'));
  });

  test.each([
    ['sales', 'leads|lead-sources|lead-rotations|applications|underwriting-rules|extapi|merchants|lookup'],
    [
      'support',
      'tickets|ticket-types|ticket-rotations|integrations|notifications|webhooks|mails|mail-domains|mail-addresses',
    ],
  ] as const)('the stack %s contains exactly the endpoints of its area', (name, segments) => {
    const template = prod.endpointStacks[endpointStacks.findIndex((stack) => stack.name === name)];
    if (!template) throw new Error(`The deployment has no stack ${name}.`);
    const belongs = new RegExp(`^\\S+ /(${segments})(/|$)`);
    const expected = contracts.map(routeKey).filter((route) => belongs.test(route));
    expect(expected.length).toBeGreaterThan(0);
    expect(routesOf(template).sort()).toEqual(['$default', ...expected].sort());
    template.resourceCountIs('AWS::ApiGatewayV2::Api', 1);
    template.resourceCountIs('AWS::ApiGatewayV2::Stage', 1);
  });

  test('the api has a separate function for each route, and only the stack’s gateway role may invoke these functions', () => {
    for (const template of servingTemplates(prod)) {
      const wired = wiring(template);
      expect(new Set(wired.map(({ functionId }) => functionId)).size).toBe(wired.length);
      expect(new Set(wired.map(({ invokedAs }) => invokedAs)).size).toBe(1);
      const isOwn = (resource: unknown) =>
        target(resource) !== '' && !JSON.stringify(resource).includes('Fn::Join');
      const invocable = resources<{ PolicyDocument: PolicyDocument }>(template, 'AWS::IAM::ManagedPolicy')
        .flatMap(([, policy]) => policy.PolicyDocument.Statement)
        .filter(({ Action }) => Action === 'lambda:InvokeFunction')
        .flatMap(({ Resource }) => [Resource].flat().filter(isOwn).map(target));
      expect(invocable.sort()).toEqual(wired.map(({ functionId }) => functionId).sort());
    }
  });

  test('the api has one role for each distinct set of rights', () => {
    for (const template of servingTemplates(prod)) {
      const sets = wiring(template).map(({ role }) => rightsIn(template, role).join('\n'));
      // The role of the gateway, and the role of the authorizer.
      const others = template === prod.api ? 2 : 1;
      template.resourceCountIs('AWS::IAM::Role', new Set(sets).size + others);
    }
  });

  test('the default address of the api is disabled if the stage has its own domain', () => {
    const isDisabled = (deployment: Deployment) =>
      resources<{ DisableExecuteApiEndpoint?: boolean }>(deployment.api, 'AWS::ApiGatewayV2::Api').map(
        ([, { DisableExecuteApiEndpoint = false }]) => DisableExecuteApiEndpoint,
      );
    const certificateArn = 'arn:aws:acm:eu-central-1:123456789012:certificate/one';
    const domain = { name: 'api.example.com', certificateArn };
    expect(isDisabled(deploymentOf({ ...stageNamed('dev'), domain }, few))).toEqual([true]);
    expect(isDisabled(dev)).toEqual([false]);
  });

  test('the api allows cross-origin requests only from the allowed origins', () => {
    const cors = ({ api }: Deployment) =>
      resources<{ CorsConfiguration?: { AllowOrigins: string[] } }>(api, 'AWS::ApiGatewayV2::Api').map(
        ([, properties]) => properties.CorsConfiguration?.AllowOrigins,
      );
    expect(cors(dev)).toEqual([['http://localhost:5173']]);
    expect(cors(prod)).toEqual([undefined]);
  });
});

describe('the data', () => {
  test('the data table is deployed as the code defines it', () => {
    const [[, table] = []] = resources<TableProperties>(prod.data, 'AWS::DynamoDB::GlobalTable');
    expect(table).toMatchObject({
      TableName: 'merchant-ops-prod',
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keySchema(tableDefinition.partitionKey, tableDefinition.sortKey),
      TimeToLiveSpecification: { AttributeName: tableDefinition.ttl, Enabled: true },
      StreamSpecification: { StreamViewType: tableDefinition.stream },
    });
    expect(table?.GlobalSecondaryIndexes).toMatchObject(
      tableDefinition.indexes.map(({ name, partitionKey, sortKey, projection }) => ({
        IndexName: name,
        KeySchema: keySchema(partitionKey, sortKey),
        Projection: { ProjectionType: projection },
      })),
    );
  });

  test('the data cannot be deleted by accident in production', () => {
    for (const type of [
      'AWS::DynamoDB::GlobalTable',
      'AWS::SecretsManager::Secret',
      'AWS::KMS::Key',
      'AWS::S3::Bucket',
    ])
      prod.data.allResources(type, {
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    for (const template of [...servingTemplates(prod), prod.events])
      template.allResources('AWS::Logs::LogGroup', {
        DeletionPolicy: 'RetainExceptOnCreate',
        UpdateReplacePolicy: 'Retain',
      });
    const [[, table] = []] = resources<TableProperties>(prod.data, 'AWS::DynamoDB::GlobalTable');
    expect(table?.Replicas).toMatchObject([
      {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      },
    ]);
    expect(prod.stacks.map(({ terminationProtection }) => terminationProtection)).toEqual(
      Array(9).fill(true),
    );
  });

  test('without deletion protection, CloudFormation can remove the stacks of a failed first deployment, but not existing data', () => {
    const first = deploymentOf({ ...stageNamed('prod'), deletionProtection: false }, few);
    expect(new Set(first.stacks.map(({ terminationProtection }) => terminationProtection))).toEqual(
      new Set([false]),
    );
    const [[id, table] = []] = resources<TableProperties>(first.data, 'AWS::DynamoDB::GlobalTable');
    expect(table?.Replicas).toMatchObject([{ DeletionProtectionEnabled: false }]);
    expect(first.data.toJSON().Resources[id ?? ''].DeletionPolicy).toBe('RetainExceptOnCreate');
  });

  test('the data stack has a key for seals, and a function gets the name of a key only if it has a right to use the key', () => {
    expectResource(prod.data, 'AWS::KMS::Key', {
      Description: 'Signs the seals of the event logs of merchant-ops-prod',
      KeySpec: 'ECC_NIST_P256',
      KeyUsage: 'SIGN_VERIFY',
    });
    for (const [variable, name, sids] of [
      ['SEAL_KEY_ID', 'seals', /^SignSeals/],
      ['DATA_KEY_ID', 'data-keys', /^(Unwrap|Make)DataKeys/],
    ] as const) {
      const alias = `alias/merchant-ops-prod-${name}`;
      expectResource(prod.data, 'AWS::KMS::Alias', { AliasName: alias });
      for (const template of [...servingTemplates(prod), prod.events])
        for (const [id, { Environment, Role }] of functionsIn(template))
          expect(Environment.Variables[variable], id).toBe(
            rightsIn(template, Role).some((right) => sids.test(right)) ? alias : undefined,
          );
    }
  });

  test('the data is deleted with its stack in development', () => {
    dev.data.allResources('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Delete' });
    expect(dev.stacks.map(({ terminationProtection }) => terminationProtection)).toEqual(
      Array(8).fill(false),
    );
  });

  test('the data has a private, versioned and encrypted bucket, which deletes incomplete uploads, received mails, old exports and old versions', () => {
    prod.data.resourceCountIs('AWS::S3::Bucket', 1);
    expectResource(prod.data, 'AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
      VersioningConfiguration: { Status: 'Enabled' },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          {
            BucketKeyEnabled: true,
            ServerSideEncryptionByDefault: {
              SSEAlgorithm: 'aws:kms',
              KMSMasterKeyID: { 'Fn::GetAtt': [Match.stringLikeRegexp('FilesKey'), 'Arn'] },
            },
          },
        ],
      },
      LifecycleConfiguration: {
        Rules: [
          Match.objectLike({
            Prefix: 'incoming/',
            ExpirationInDays: 1,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          }),
          Match.objectLike({
            Prefix: 'mail/',
            ExpirationInDays: 30,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          }),
          Match.objectLike({
            Prefix: 'exports/',
            ExpirationInDays: 31,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          }),
          Match.objectLike({
            Prefix: Match.absent(),
            ExpirationInDays: Match.absent(),
            NoncurrentVersionExpiration: { NoncurrentDays: 30 },
          }),
        ],
      },
      CorsConfiguration: Match.absent(),
    });
    expectResource(dev.data, 'AWS::S3::Bucket', {
      CorsConfiguration: {
        CorsRules: [
          Match.objectLike({
            AllowedOrigins: ['http://localhost:5173'],
            AllowedMethods: ['GET', 'HEAD', 'PUT'],
          }),
        ],
      },
    });
  });

  test('the data stack’s topic accepts alarms only from CloudWatch in its own account', () => {
    const policies = resources<TopicPolicyProperties>(prod.data, 'AWS::SNS::TopicPolicy');
    const allowed = policies
      .flatMap(([, { PolicyDocument: document }]) => document.Statement)
      .filter(({ Effect }) => Effect === 'Allow');
    expect(allowed).toMatchObject([
      {
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
  });

  test('the data has a generated signing secret that the code can parse', () => {
    const [[, secret] = []] = resources<SecretProperties>(prod.data, 'AWS::SecretsManager::Secret');
    const {
      SecretStringTemplate = '{}',
      GenerateStringKey = '',
      PasswordLength = 0,
    } = secret?.GenerateSecretString ?? {};
    const generated = {
      ...JSON.parse(SecretStringTemplate),
      [GenerateStringKey]: 'x'.repeat(PasswordLength),
    };
    expect(parseKeyring(JSON.stringify(generated)).current).toBe('1');
  });
});

describe('the events', () => {
  test('the events have a queue, a dead-letter queue and alarms for each consumer', () => {
    const queues = queuesIn(prod.events);
    const alarmed = alarmsIn(prod.events)
      .filter(([, alarm]) => alarm.MetricName === 'ApproximateNumberOfMessagesVisible')
      .flatMap(([, alarm]) => (alarm.Dimensions ?? []).map(({ Value }) => target(Value)));
    const schedules = manifest.schedules.map(({ name }) => name);
    expect(queues.map(([, { QueueName }]) => QueueName).sort()).toEqual(
      queuesBehind([...queueNames, 'relay', ...schedules]).sort(),
    );
    for (const name of queueNames) {
      const [, queue] = queues.find(([, { QueueName }]) => QueueName === `merchant-ops-prod-${name}`) ?? [];
      expect(named(prod.events, queue?.RedrivePolicy?.deadLetterTargetArn)).toBe(
        `Queue merchant-ops-prod-${name}-dead-letters`,
      );
      expect(queue?.RedrivePolicy?.maxReceiveCount, name).toBe(5);
      expect(alarmed, name).toContain(target(queue?.RedrivePolicy?.deadLetterTargetArn));
    }
    expect(alarmed).toHaveLength(queueNames.length + 1 + schedules.length);
    const aged = alarmsIn(prod.events)
      .filter(([, { MetricName }]) => MetricName === 'ApproximateAgeOfOldestMessage')
      .flatMap(([, { Dimensions = [] }]) => Dimensions.map(({ Value }) => target(Value)));
    expect(aged.sort()).toEqual(queues.map(([id]) => id).sort());
  });

  test('the events are kept for ten days in queues and for fourteen days in dead-letter queues', () => {
    const timeouts: Readonly<Record<QueueName, number>> = {
      audit: 180,
      search: 180,
      cleanup: 180,
      notifications: 180,
      webhooks: 180,
      incoming: 360,
      deliveries: 360,
      partner: 360,
      messages: 360,
      outgoing: 360,
      jobs: 360,
      residuals: 360,
      sealing: 360,
    };
    for (const [, queue] of queuesIn(prod.events)) {
      const name = queue.QueueName.replace('merchant-ops-prod-', '');
      const dead = name.endsWith('-dead-letters');
      expect(queue.MessageRetentionPeriod, name).toBe((dead ? 14 : 10) * 24 * 3600);
      expect(queue.VisibilityTimeout, name).toBe(dead ? undefined : timeouts[name as QueueName]);
      expect(queue.SqsManagedSseEnabled, queue.QueueName).toBe(true);
    }
    // The alarm must be raised before SQS deletes a dead letter, which is 14 days after the first send of the message.
    // The age metric starts only at the move to the dead-letter queue, up to 10 days after the first send.
    for (const [, alarm] of alarmsIn(prod.events))
      if (alarm.AlarmName?.endsWith('-dead-letters-old'))
        expect((alarm.Threshold ?? 0) + 10 * 24 * 3600, alarm.AlarmName).toBeLessThan(14 * 24 * 3600);
  });

  test('notifications are sent only from the address that the stage sets, and mail to customers from any identity', () => {
    const mailing = ({ events }: Deployment) =>
      rolesIn(events)
        .flatMap(([, { Policies = [] }]) =>
          Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
        )
        .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('ses:')))
        .map(({ Action, Resource, Condition }) => [
          Action,
          JSON.stringify(Resource).match(/(identity|configuration-set)\/[^"]+/g),
          ...(Condition ? [Condition] : []),
        ]);
    const ofMailDomains = [
      [
        'ses:CreateEmailIdentity',
        'ses:PutEmailIdentityMailFromAttributes',
        'ses:GetEmailIdentity',
        'ses:DeleteEmailIdentity',
      ],
      ['identity/*'],
    ];
    const toCustomers = [
      ['ses:SendEmail', 'ses:SendRawEmail'],
      ['identity/*', 'configuration-set/*'],
    ];
    expect(mailing(prod)).toEqual([toCustomers, ofMailDomains]);
    expect(mailing(local())).toEqual([
      [
        'ses:SendEmail',
        ['identity/notifications@example.com', 'identity/example.com', 'configuration-set/*'],
      ],
      // The recipients of the sandbox.
      ['ses:SendEmail', ['identity/*'], { StringEquals: { 'ses:FromAddress': 'notifications@example.com' } }],
      toCustomers,
      ofMailDomains,
    ]);
  });

  test('the events are consumed in batches of ten, mails to customers of two, with partial failures and a sufficient visibility timeout', () => {
    const functions = new Map(functionsIn(prod.events));
    const queues = new Map(queuesIn(prod.events));
    const sources = resources<SourceProperties>(prod.events, 'AWS::Lambda::EventSourceMapping');
    const consuming = sources.filter(([, source]) => queues.has(target(source.EventSourceArn)));
    expect(consuming).toHaveLength(queueNames.length);
    for (const [, source] of consuming) {
      const consumer = functions.get(target(source.FunctionName));
      expect(source, consumer?.FunctionName).toMatchObject({
        BatchSize: consumer?.FunctionName === 'merchant-ops-prod-events-outgoing' ? 2 : 10,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      });
      expect(source.ScalingConfig?.MaximumConcurrency, consumer?.FunctionName).toBe(
        consumer?.FunctionName === 'merchant-ops-prod-events-deliveries' ? 50 : 10,
      );
      expect(consumer).not.toHaveProperty('ReservedConcurrentExecutions');
      const visible = queues.get(target(source.EventSourceArn))?.VisibilityTimeout;
      expect(visible).toBeGreaterThanOrEqual(6 * (consumer?.Timeout ?? Number.POSITIVE_INFINITY));
    }
  });

  test('only a consumer whose messages can reach its own queue may be invoked recursively without end', () => {
    const sendsTo = (queue: QueueName) => receivingQueues(consumerStatements(queue));
    const reaches = (from: QueueName, to: QueueName, passed: readonly QueueName[] = []): boolean =>
      sendsTo(from).some(
        (next) => next === to || (!passed.includes(next) && reaches(next, to, [...passed, next])),
      );
    const loops = queueNames.filter((queue) => reaches(queue, queue));
    expect(loops).toContain('deliveries');
    const allowed = functionsIn(prod.events).filter(([, { RecursiveLoop }]) => RecursiveLoop === 'Allow');
    expect(allowed.map(([, { FunctionName }]) => FunctionName).sort()).toEqual(
      loops.map((queue) => `merchant-ops-prod-events-${queue}`).sort(),
    );
  });

  test('the events and trigger messages are relayed oldest first, with retries for 20 hours', () => {
    const source = resources<SourceProperties>(prod.events, 'AWS::Lambda::EventSourceMapping')
      .map(([, properties]) => properties)
      .find(({ FilterCriteria }) => FilterCriteria);
    expect(source).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 20 * 3600,
      MaximumRetryAttempts: -1,
    });
    expect(target(source?.DestinationConfig?.OnFailure.Destination)).toMatch(/relayDeadLetters/);
    expect(source?.FilterCriteria?.Filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { NewImage: { type: { S: ['event', 'trigger'] } } } },
    ]);
  });

  test('the relay may send to every queue, and its environment contains exactly the URLs of these queues', () => {
    const relay = functionsIn(prod.events).find(
      ([, { FunctionName }]) => FunctionName === 'merchant-ops-prod-events-relay',
    );
    const { STAGE, REQUESTS_PER_MINUTE, ...urls } = relay?.[1].Environment.Variables ?? {};
    expect([STAGE, REQUESTS_PER_MINUTE]).toEqual(['prod', '600']);
    expect(Object.keys(urls).sort()).toEqual(
      [...queueNames.map(queueUrlVariable), 'RELAY_DEAD_LETTER_URL'].sort(),
    );
    const sends = rightsIn(prod.events, relay?.[1].Role).find((right) => right.startsWith('SendMessages'));
    for (const url of Object.values(urls)) expect(sends).toContain(named(prod.events, url));
  });
});

describe('a schedule', () => {
  test('an interval of any number of minutes becomes an expression that EventBridge Scheduler accepts', () => {
    // A value of 1 needs a singular unit, other values a plural (EventBridge Scheduler User Guide, "Schedule types").
    const expressions: Record<number, string> = {
      1: 'rate(1 minute)',
      5: 'rate(5 minutes)',
      60: 'rate(1 hour)',
    };
    const [schedule] = manifest.schedules;
    if (!schedule) throw new Error('The build has no schedule.');
    for (const [minutes, expression] of Object.entries(expressions)) {
      const schedules = [{ ...schedule, every: { minutes: Number(minutes) } }];
      const { events } = deploymentOf(stageNamed('dev'), { ...manifest, endpoints: [], schedules });
      expect(schedulesIn(events).map(([, { ScheduleExpression }]) => ScheduleExpression)).toEqual([
        expression,
      ]);
    }
    for (const minutes of [0, 1.5]) {
      const schedules = [{ ...schedule, every: { minutes } }];
      expect(() => deploymentOf(stageNamed('dev'), { ...manifest, endpoints: [], schedules })).toThrow();
    }
  });

  test('a schedule invokes its function every minute, and its role may only do this and send its dead letters', () => {
    const scheduled = schedulesIn(prod.events);
    expect(scheduled.map(([, { Name }]) => Name)).toEqual(
      manifest.schedules.map(({ schedule }) => `merchant-ops-prod-${schedule}`),
    );
    const functions = new Map(functionsIn(prod.events));
    for (const [, schedule] of scheduled) {
      expect(schedule).toMatchObject({
        ScheduleExpression: 'rate(1 minute)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: { RetryPolicy: { MaximumEventAgeInSeconds: 60, MaximumRetryAttempts: 3 } },
      });
      const called = functions.get(target(schedule.Target.Arn));
      // A run must end before the next run starts.
      expect(called?.Timeout).toBeLessThan(60);
      const deadLetters = named(prod.events, schedule.Target.DeadLetterConfig.Arn);
      const name = called?.FunctionName.replace('merchant-ops-prod-', '');
      expect(deadLetters).toBe(`Queue merchant-ops-prod-${name}-dead-letters`);
      const [[, role] = []] = rolesIn(prod.events).filter(([id]) => id === target(schedule.Target.RoleArn));
      expect(role).toMatchObject({
        AssumeRolePolicyDocument: {
          Statement: [
            {
              Principal: { Service: 'scheduler.amazonaws.com' },
              Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            },
          ],
        },
      });
      expect(role?.ManagedPolicyArns).toBeUndefined();
      const allowed = role?.Policies?.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ?? [];
      expect(allowed.map(({ Action, Resource }) => [Action, target(Resource)])).toEqual([
        ['lambda:InvokeFunction', target(schedule.Target.Arn)],
        ['sqs:SendMessage', target(schedule.Target.DeadLetterConfig.Arn)],
      ]);
    }
  });

  test('if the function of a schedule fails, the run is not retried and becomes a dead letter', () => {
    const configured = resources<AsyncProperties>(prod.events, 'AWS::Lambda::EventInvokeConfig');
    expect(configured.map(([, { FunctionName }]) => target(FunctionName)).sort()).toEqual(
      schedulesIn(prod.events)
        .map(([, { Target }]) => target(Target.Arn))
        .sort(),
    );
    for (const [, { DestinationConfig, ...config }] of configured) {
      expect(config).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 });
      expect(named(prod.events, DestinationConfig.OnFailure.Destination)).toMatch(
        /^Queue merchant-ops-prod-schedules-.+-dead-letters$/,
      );
    }
  });
});

describe('every stack', () => {
  test('every stack stays below CloudFormation’s limits of resources and bytes, even with 135 endpoints', () => {
    const count = (template: Template) => Object.keys(template.toJSON().Resources).length;
    // CDK writes the template with an indent of one space, which counts toward the limit of bytes.
    const bytes = (template: Template) => Buffer.byteLength(JSON.stringify(template.toJSON(), undefined, 1));
    for (const deployment of [prod, dev])
      for (const template of templatesOf(deployment)) {
        expect(count(template)).toBeLessThan(mostResources);
        expect(bytes(template)).toBeLessThan(mostBytes);
      }
    for (const template of servingTemplates(prod)) {
      // Each endpoint has a function, an integration and a route.
      const fixed = count(template) - 3 * routesOf(template).length;
      expect(fixed + 3 * mostEndpoints).toBeLessThan(mostResources);
      expect((bytes(template) / routesOf(template).length) * mostEndpoints).toBeLessThan(mostBytes);
      expect(routesOf(template).length).toBeLessThanOrEqual(mostEndpoints);
    }
  });

  test('every stack logs as JSON into shared log groups with a retention', () => {
    for (const [template, groups] of [
      [prod.api, 2],
      ...prod.endpointStacks.map((template) => [template, 1] as const),
      [prod.events, 1],
    ] as const) {
      template.resourceCountIs('AWS::Logs::LogGroup', groups);
      const logs = functionsIn(template).map(([, lambda]) => lambda.LoggingConfig);
      expect(new Set(logs.map(({ LogGroup }) => target(LogGroup))).size).toBe(1);
      expect(logs.every(({ LogFormat }) => LogFormat === 'JSON')).toBe(true);
      for (const [, group] of resources<{ RetentionInDays?: number }>(template, 'AWS::Logs::LogGroup'))
        expect(group.RetentionInDays).toBe(90);
    }
  });

  test('every stack sets environment variables without references to other stacks', () => {
    for (const template of [...servingTemplates(prod), prod.events])
      for (const [, lambda] of functionsIn(template))
        expect(JSON.stringify(lambda.Environment)).not.toContain('Fn::ImportValue');
  });

  test('every environment variable of a function is also set by the local service', () => {
    const deployment = local();
    const url = 'http://127.0.0.1:1';
    const queues = queueNames.map((name) => ({ name, url, deadLetterUrl: url }));
    const locally: Record<string, string> = functionEnvironment({
      stage: stageNamed('local'),
      tableName: 'merchant-ops-local',
      tableEndpoint: url,
      secretFile: 'secret.json',
      keyFile: 'data-key.json',
      sealKeyFile: 'seal-key.json',
      bucketName: 'merchant-ops-local-files',
      s3Endpoint: url,
      messageServices: {},
      queues: { endpoint: url, queues, relayDeadLetterUrl: url },
    });
    const functions = [...servingTemplates(deployment), deployment.events].flatMap((template) =>
      functionsIn(template),
    );
    expect(functions.length).toBeGreaterThan(contracts.length);
    for (const [id, { Environment }] of functions)
      for (const [variable, value] of Object.entries(Environment.Variables)) {
        // The local service reads the secret and the keys from files, and its queues have other URLs.
        if (variable === 'ORIGIN_SECRET_ID')
          continue; // The local service has one gateway.
        else if (variable === 'SECRET_ID') expect(locally, id).toHaveProperty('SECRET_FILE');
        else if (variable === 'DATA_KEY_ID') expect(locally, id).toHaveProperty('KEY_FILE');
        else if (variable === 'SEAL_KEY_ID') expect(locally, id).toHaveProperty('SEAL_KEY_FILE');
        else expect(locally[variable], id).toEqual(typeof value === 'string' ? value : expect.any(String));
      }
    expect(locally).toMatchObject({ STAGE: 'local', REQUESTS_PER_MINUTE: '60000' });
  });

  test('every alarm has a description, notifies the topic, and is raised in the first period that reaches its threshold', () => {
    for (const template of templatesOf(prod))
      for (const [, alarm] of alarmsIn(template)) {
        expect(alarm).toMatchObject({
          AlarmDescription: expect.stringMatching(/^[A-Z].{40,}\.$/),
          EvaluationPeriods: 1,
          ComparisonOperator: 'GreaterThanOrEqualToThreshold',
          // Health checks publish EventLag every minute, so missing data also raises the alarm.
          TreatMissingData: alarm.MetricName === 'EventLag' ? 'breaching' : 'notBreaching',
        });
        expect(JSON.stringify(alarm.AlarmActions)).toContain('merchant-ops-prod-data:ExportsOutputRefAlarms');
      }
  });

  test('an endpoint that only reads has no right to write, and the contract of an endpoint determines its other rights', () => {
    for (const contract of contracts) {
      const { access, method, path, sensitive, signedBody, factorSecrets, files } = contract;
      if (path === '$default') continue;
      const reads =
        method === 'GET' ||
        [
          '/auth/login/passkey',
          '/ticket-rotations/{id}/simulate',
          '/underwriting-rules/test',
          '/residual-agreements/rehearse',
        ].includes(path);
      const rights = rightsOf(contract);
      const name = routeKey(contract);
      expect(rights.includes('table:write'), name).toBe(!reads);
      const signsOn = /^\/auth\/sso\/(start|callback|exchange)$/.test(path);
      expect(rights.includes('table:read'), name).toBe(!reads || access !== 'public' || signsOn);
      // The factors of a person are stored with the person, not with the emails and tokens.
      const isAboutFactors = /factor|recovery|verify|sso\/logout|identity/.test(path);
      const keepsSignIns = /^\/(auth|users|scim\/v2\/Users)(\/|$)/.test(path) && !isAboutFactors;
      expect(rights.includes('sign-ins:keep'), name).toBe(!reads && keepsSignIns);
      expect(rights.includes('secret:read'), name).toBe(
        access !== 'public' || path.startsWith('/auth/login') || signsOn,
      );
      const decrypts =
        sensitive === true ||
        signedBody !== undefined ||
        factorSecrets !== undefined ||
        path === '/auth/sso/callback';
      expect(rights.includes('data-key:use'), name).toBe(decrypts);
      const makesKeys = (sensitive === true && !reads) || factorSecrets === 'make';
      expect(rights.includes('data-key:make'), name).toBe(makesKeys);
      expect(
        rights.filter((right) => right.startsWith('files:')),
        name,
      ).toEqual(files ? [`files:${files}`] : []);
    }
  });

  test('every endpoint has exactly the rights of its contract', () => {
    for (const template of servingTemplates(prod))
      for (const { contract, role } of wiring(template)) {
        const statements = mergeStatements(endpointStatements(contract)).map(({ sid, leadingKeys = [] }) => [
          sid,
          leadingKeys,
        ]);
        const deployed = statementsOf(template, role).map(({ Sid, Condition }) => [
          Sid,
          [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'] ?? []].flat(),
        ]);
        expect(deployed.sort(), routeKey(contract)).toEqual(statements.sort());
      }
  });

  test('the rights of all functions are recorded in rights.txt', async () => {
    const ofEndpoints = servingTemplates(prod).flatMap((template) =>
      wiring(template).flatMap(({ role }) => rightsIn(template, role)),
    );
    const authorizers = functionsIn(prod.api).filter(([id]) => id.startsWith('OriginCheck'));
    const sections = [
      ['endpoints', [...new Set(ofEndpoints)].sort()] as const,
      ...authorizers.map(([, { FunctionName, Role }]) => [FunctionName, rightsIn(prod.api, Role)] as const),
      ...functionsIn(prod.events).map(
        ([, { FunctionName, Role }]) => [FunctionName, rightsIn(prod.events, Role)] as const,
      ),
    ];
    const lines = sections.flatMap(([name, rights]) => [name, ...rights.map((right) => `  ${right}`)]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('rights.txt');
  });

  test('every role can be assumed only by one service on behalf of its own AWS account', () => {
    // EventBridge Scheduler documents the key. Other services may omit it.
    const operators = { 'scheduler.amazonaws.com': 'StringEquals' } as Record<string, string>;
    for (const template of templatesOf(prod))
      for (const [id, { AssumeRolePolicyDocument }] of rolesIn(template)) {
        const { Statement: statements } = AssumeRolePolicyDocument as {
          Statement: { Principal: { Service: string } }[];
        };
        expect(statements, id).toHaveLength(1);
        for (const { Principal, ...statement } of statements)
          expect(statement, id).toEqual({
            Action: 'sts:AssumeRole',
            Effect: 'Allow',
            Condition: {
              [operators[Principal.Service] ?? 'StringEqualsIfExists']: {
                'aws:SourceAccount': { Ref: 'AWS::AccountId' },
              },
            },
          });
      }
  });

  test('a role cannot have a right to all resources', () => {
    const role = (statement: Statement, arns: Arns) => {
      const app = emptyApp();
      new FunctionRole(new Stack(app, 'stack'), 'Role', {
        description: 'Any',
        statements: [statement],
        arns,
      });
      return new AwsSolutionsChecks(app).validateScope(app).violations.map(({ ruleName }) => ruleName);
    };
    const read = { sid: 'Read', actions: ['dynamodb:GetItem'] };
    expect(role({ ...read, resources: ['table'] }, { table: 'arn:aws:dynamodb:::table/t' })).toEqual([]);
    expect(role({ ...read, resources: ['table'] }, { table: '*' })).toEqual([
      expect.stringContaining('IAM5[Resource::*]'),
    ]);
    expect(() => role({ ...read, resources: ['*'] }, {})).toThrow(
      'dynamodb:GetItem can be limited to a resource. Name the resource.',
    );
    expect(() => role({ ...read, resources: ['table'] }, {})).toThrow('names "table"');
  });

  test.each(['dev', 'prod', 'local'])('cdk-nag reports no findings for the stacks of %s', (name) => {
    const { app } = name === 'dev' ? dev : name === 'prod' ? prod : local();
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });
});

test('the error for an unknown stage lists the stages', () => {
  expect(() => stageNamed('qa')).toThrow(
    'Unknown stage "qa". Use -c stage=dev, -c stage=prod, -c stage=local.',
  );
});

const functionsIn = (template: Template) => resources<FunctionProperties>(template, 'AWS::Lambda::Function');
const alarmsIn = (template: Template) => resources<AlarmProperties>(template, 'AWS::CloudWatch::Alarm');
const rolesIn = (template: Template) => resources<RoleProperties>(template, 'AWS::IAM::Role');
const queuesIn = (template: Template) => resources<QueueProperties>(template, 'AWS::SQS::Queue');
const schedulesIn = (template: Template) =>
  resources<ScheduleProperties>(template, 'AWS::Scheduler::Schedule');

let localDeployment: Deployment | undefined;
const local = (): Deployment => {
  localDeployment ??= deploymentOf(stageNamed('local'), manifest);
  return localDeployment;
};

interface DeployedStatement {
  Sid?: string;
  Action: string | string[];
  Resource?: unknown;
  NotResource?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}
interface PolicyDocument {
  Statement: DeployedStatement[];
}
interface RoleProperties {
  AssumeRolePolicyDocument: unknown;
  Policies?: { PolicyDocument: PolicyDocument }[];
  ManagedPolicyArns?: unknown[];
}
interface Reference {
  Ref?: string;
  'Fn::GetAtt'?: [string, string];
  'Fn::Join'?: [string, unknown[]];
  'Fn::ImportValue'?: string;
}
interface RouteProperties {
  ApiId: unknown;
  RouteKey: string;
  Target: unknown;
  AuthorizationType?: string;
  AuthorizerId?: unknown;
}
interface FunctionProperties {
  FunctionName: string;
  Role: unknown;
  Timeout: number;
  Environment: { Variables: Record<string, unknown> };
  LoggingConfig: { LogFormat: string; LogGroup: unknown };
  RecursiveLoop?: string;
}
interface SourceProperties {
  EventSourceArn: unknown;
  FunctionName: unknown;
  ScalingConfig?: { MaximumConcurrency: number };
  FilterCriteria?: { Filters: { Pattern: string }[] };
  DestinationConfig?: { OnFailure: { Destination: unknown } };
}
interface ScheduleProperties {
  Name: string;
  ScheduleExpression: string;
  Target: { Arn: unknown; RoleArn: unknown; DeadLetterConfig: { Arn: unknown } };
}
interface AsyncProperties {
  FunctionName: unknown;
  DestinationConfig: { OnFailure: { Destination: unknown } };
}
interface QueueProperties {
  QueueName: string;
  VisibilityTimeout?: number;
  MessageRetentionPeriod: number;
  SqsManagedSseEnabled: boolean;
  RedrivePolicy?: { deadLetterTargetArn: unknown; maxReceiveCount: number };
}
interface TopicPolicyProperties {
  PolicyDocument: { Statement: { Effect: string }[] };
}
interface AlarmProperties {
  MetricName?: string;
  AlarmName?: string;
  Threshold?: number;
  AlarmDescription: string;
  AlarmActions: unknown;
  Dimensions?: { Value: unknown }[];
}
interface TableProperties {
  GlobalSecondaryIndexes: unknown;
  Replicas: unknown;
}
interface SecretProperties {
  GenerateSecretString: { SecretStringTemplate: string; GenerateStringKey: string; PasswordLength: number };
}

const routeKey = ({ method, path }: Contract): string => (path === '$default' ? path : `${method} ${path}`);

const routesOf = (template: Template): string[] =>
  resources<RouteProperties>(template, 'AWS::ApiGatewayV2::Route').map(([, { RouteKey }]) => RouteKey);

/**
 * Returns each contract that a stack serves, with the function of its route, the role of the function, and
 * the role that invokes the function.
 */
function wiring(template: Template) {
  const routes = resources<RouteProperties>(template, 'AWS::ApiGatewayV2::Route');
  const integrations = new Map(
    resources<{ IntegrationUri: unknown; CredentialsArn: unknown; PayloadFormatVersion: string }>(
      template,
      'AWS::ApiGatewayV2::Integration',
    ),
  );
  const functions = new Map(functionsIn(template));
  const own = new Set(routesOf(template));
  const served = contracts.filter((contract) => own.has(routeKey(contract)));
  return served.flatMap((contract) => {
    const [, route] = routes.find(([, { RouteKey }]) => RouteKey === routeKey(contract)) ?? [];
    const integration = integrations.get(target(route?.Target));
    expect(integration?.PayloadFormatVersion, routeKey(contract)).toBe('2.0');
    const functionId = target(integration?.IntegrationUri);
    const called = functions.get(functionId);
    // The function that responds to unknown paths is in the stack `api`.
    if (!called && contract.path === '$default') return [];
    return [{ contract, functionId, invokedAs: target(integration?.CredentialsArn), role: called?.Role }];
  });
}

/** Returns all statements of a role, including the statements of its managed policies. */
function statementsOf(template: Template, role: unknown): DeployedStatement[] {
  const found = new Map(rolesIn(template)).get(target(role));
  const managed = new Map(resources<{ PolicyDocument: PolicyDocument }>(template, 'AWS::IAM::ManagedPolicy'));
  const attached = (found?.ManagedPolicyArns ?? []).map((arn) => managed.get(target(arn))?.PolicyDocument);
  expect(attached).not.toContain(undefined);
  template.resourceCountIs('AWS::IAM::Policy', 0);
  const documents = [...(found?.Policies ?? []).map(({ PolicyDocument }) => PolicyDocument), ...attached];
  return documents.flatMap((document) => document?.Statement ?? []);
}

/** Returns the statements of a role as sorted lines. */
const rightsIn = (template: Template, role: unknown): string[] =>
  statementsOf(template, role)
    .map((statement) => lineOf(template, statement))
    .sort();

/** Formats a statement, such as `ReadItems: dynamodb:GetItem on GlobalTable merchant-ops-prod in ACCOUNT#*`. */
function lineOf(
  template: Template,
  { Sid, Action, Resource, NotResource, Condition = {}, ...more }: DeployedStatement,
) {
  expect(more).toEqual({ Effect: 'Allow' });
  const { 'ForAllValues:StringLike': like, StringEquals: equal, ...others } = Condition;
  if (equal?.['kms:EncryptionContext:stage'] === undefined) expect(others).toEqual({});
  else
    expect(others).toEqual({
      StringLike: { 'kms:EncryptionContext:account': '?*' },
      'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['account', 'stage'] },
    });
  const on = [Resource ?? NotResource].flat().map((resource) => named(template, resource));
  return [
    `${Sid}: ${[Action].flat().join(', ')} on ${NotResource ? 'everything except ' : ''}${on.join(', ')}`,
    ...(like ? [`in ${[like['dynamodb:LeadingKeys']].flat().join(', ')}`] : []),
    ...(equal ? [conditionsOf(template, equal)] : []),
  ].join(' ');
}

function conditionsOf(template: Template, equal: Record<string, unknown>): string {
  const { 'kms:EncryptionContext:stage': stage, ...more } = equal;
  if (stage !== undefined) {
    expect(more).toEqual({});
    return `for an account of ${stage}`;
  }
  const files = equal['kms:EncryptionContext:aws:s3:arn'];
  if (files !== undefined) {
    expect(Object.keys(equal)).toHaveLength(2);
    expect(JSON.stringify(equal['kms:ViaService'])).toContain('"s3."');
    return `through S3 for ${named(template, files)}`;
  }
  expect(Object.keys(equal).sort()).toEqual(['kms:EncryptionContext:SecretARN', 'kms:ViaService']);
  expect(JSON.stringify(equal['kms:ViaService'])).toContain('secretsmanager.');
  return `through Secrets Manager for ${named(template, equal['kms:EncryptionContext:SecretARN'])}`;
}

/** Names the resource that a value refers to, even in another stack, for example `Queue merchant-ops-prod-audit`. */
function named(template: Template, value: unknown): string {
  if (typeof value === 'string') return value;
  const {
    Ref,
    'Fn::GetAtt': [id, attribute] = [Ref, 'Arn'],
    'Fn::Join': [, parts] = [],
    'Fn::ImportValue': imported,
  } = value as Reference;
  if (Ref?.startsWith('AWS::')) return Ref;
  if (parts) return parts.map((part) => named(template, part)).join('');
  if (imported) {
    return named(
      prod.data,
      Object.values(prod.data.findOutputs('*', { Export: { Name: imported } }))[0]?.Value,
    );
  }
  const { Type, Properties } = template.toJSON().Resources[id ?? ''];
  const { TableName, QueueName, LogGroupName, Name, BucketName, Description } = Properties;
  const kind = Type.split('::').at(-1);
  // KMS keys have no name, so the description identifies them.
  if (kind === 'Key') return `Key "${Description}"`;
  return [
    kind,
    TableName ?? QueueName ?? LogGroupName ?? Name ?? (BucketName ? named(template, BucketName) : ''),
    attribute === 'Arn' ? '' : attribute,
  ]
    .filter(Boolean)
    .join(' ');
}

const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

const queuesBehind = (names: readonly string[]): string[] => [
  ...queueNames.map((name) => `merchant-ops-prod-${name}`),
  ...names.map((name) => `merchant-ops-prod-${name}-dead-letters`),
];
