import type { StackTemplate, TemplateResource } from '../../infra/quotas/stack-template.ts';

/** Returns stacks that use `n` of a limit, in addition to what the stacks use with `n` = 0. */
type AtLimit = (n: number) => StackTemplate[];

type Resources = Readonly<Record<string, TemplateResource>>;

export const stackOf = (Resources: Resources, name = 'stack', region = 'eu-central-1'): StackTemplate => ({
  name,
  region,
  template: { Resources },
});

const text = (characters: number) => 'x'.repeat(characters);
const many = <T>(n: number, one: (index: number) => T): T[] =>
  Array.from({ length: n }, (_, index) => one(index));
const objectOf = (n: number, one: object) => Object.fromEntries(many(n, (index) => [`One${index}`, one]));

/** A stack with one resource. */
const one = (Type: string, Properties: Record<string, unknown>) => [stackOf({ One: { Type, Properties } })];

/** A stack with a resource whose property is a text of `n` characters. */
const named =
  (type: string, property: string): AtLimit =>
  (n) =>
    one(type, { [property]: text(n) });

/** A stack with a resource whose property is the number `n`. */
const set =
  (type: string, propertiesOf: (n: number) => Record<string, unknown>): AtLimit =>
  (n) =>
    one(type, propertiesOf(n));

/** A stack with `n` resources. */
const resources =
  (Type: string): AtLimit =>
  (n) => [stackOf(objectOf(n, { Type }) as Resources)];

/** A stack with `n` resources that belong to an owner, and an owner without resources. */
const belongingTo =
  (ownerType: string, Type: string, property: string): AtLimit =>
  (n) => [
    stackOf({
      Owner: { Type: ownerType },
      Other: { Type: ownerType },
      ...(objectOf(n, { Type, Properties: { [property]: { Ref: 'Owner' } } }) as Resources),
    }),
  ];

const ofApi = (type: string): AtLimit =>
  belongingTo('AWS::ApiGatewayV2::Api', `AWS::ApiGatewayV2::${type}`, 'ApiId');

const policyOf = (characters: number) => ({
  Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: text(characters) }],
});

const distribution = (config: (n: number) => object): AtLimit =>
  set('AWS::CloudFront::Distribution', (n) => ({ DistributionConfig: config(n) }));
const origin = (properties: (n: number) => object): AtLimit =>
  distribution((n) => ({ Origins: [{ Id: 'gateway', ...properties(n) }] }));
const header = (name: number, value: number) => ({ HeaderName: text(name), HeaderValue: text(value) });

const webAcl = (rules: (n: number) => object[], properties: (n: number) => object = () => ({})): AtLimit =>
  set('AWS::WAFv2::WebACL', (n) => ({
    Rules: rules(n).map((rule, index) => ({ Name: `rule-${index}`, ...rule })),
    ...properties(n),
  }));
const match = (PositionalConstraint: string, characters = 1, transformations = 0) => ({
  Statement: {
    ByteMatchStatement: {
      FieldToMatch: { UriPath: {} },
      PositionalConstraint,
      SearchString: text(characters),
      TextTransformations: many(transformations, (Priority) => ({ Priority, Type: 'NONE' })),
    },
  },
});
const rateBased = (Limit: number, scope?: { Statement: object }) => ({
  Statement: { RateBasedStatement: { Limit, ScopeDownStatement: scope?.Statement } },
});
const bodies = (n: number, bytes: number) => ({
  CustomResponseBodies: objectOf(n, { Content: text(bytes) }),
});

const alarm = (propertiesOf: (n: number) => Record<string, unknown>) =>
  set('AWS::CloudWatch::Alarm', propertiesOf);
const dashboard =
  (metricsOf: (n: number) => number[]): AtLimit =>
  (n) =>
    one('AWS::CloudWatch::Dashboard', {
      DashboardBody: JSON.stringify({
        widgets: metricsOf(n).map((metrics) => ({
          properties: { title: 'Load', metrics: many(metrics, () => ['AWS/SQS', 'Age']) },
        })),
      }),
    });
const budget = (notifications: (n: number) => number, emails: (n: number) => number): AtLimit =>
  set('AWS::Budgets::Budget', (n) => ({
    NotificationsWithSubscribers: many(notifications(n), () => ({
      Subscribers: many(emails(n), () => ({ SubscriptionType: 'EMAIL' })),
    })),
  }));
const table = (propertiesOf: (n: number) => Record<string, unknown>) =>
  set('AWS::DynamoDB::GlobalTable', propertiesOf);
const queue = (property: string) => set('AWS::SQS::Queue', (n) => ({ [property]: n }));

/** For each limit, by its service and what is counted, stacks that use it. */
export const stacksAtLimit: Readonly<Record<string, AtLimit>> = {
  'CloudFormation: resources of a stack': resources('AWS::SNS::Topic'),
  'CloudFormation: outputs of a stack': (n) => [
    {
      ...stackOf({}),
      template: { Outputs: objectOf(n, { Value: 'one' }) as Record<string, { Value: string }> },
    },
  ],
  'CloudFormation: parameters of a stack': (n) => [
    { ...stackOf({}), template: { Parameters: objectOf(n, {}) as Record<string, object> } },
  ],
  'CloudFormation: size of a template in S3, bytes': named('AWS::SNS::Topic', 'Text'),
  'CloudFormation: dynamic references in a template': set('AWS::SQS::Queue', (n) => ({
    Tags: many(n, () => '{{resolve:secretsmanager:token}}'),
  })),
  'CloudFormation: logical id of a resource, characters': (n) => [
    stackOf({ [text(n)]: { Type: 'AWS::SNS::Topic' } }),
  ],
  'CloudFormation: name of an output, characters': (n) => [
    { ...stackOf({}), template: { Outputs: { [text(n)]: { Value: 'one' } } } },
  ],
  'CloudFormation: name of a parameter, characters': (n) => [
    { ...stackOf({}), template: { Parameters: { [text(n)]: {} } } },
  ],
  'CloudFormation: name of a stack, characters': (n) => [stackOf({}, text(n))],
  'CloudFormation: stacks in a region': (n) => many(n, (index) => stackOf({}, `stack-${index}`)),
  'IAM: inline policies of a role together, characters without white space': (n) => [
    stackOf({
      Role: {
        Type: 'AWS::IAM::Role',
        Properties: { Policies: [{ PolicyName: 'a b', PolicyDocument: policyOf(n) }] },
      },
      Attached: {
        Type: 'AWS::IAM::Policy',
        Properties: { PolicyDocument: { ...policyOf(0), Sid: 'a b\n' }, Roles: [{ Ref: 'Role' }] },
      },
    }),
  ],
  'IAM: managed policy, characters without white space': set('AWS::IAM::ManagedPolicy', (n) => ({
    PolicyDocument: policyOf(n),
  })),
  'IAM: managed policies of a role': (n) => [
    stackOf({
      Role: { Type: 'AWS::IAM::Role', Properties: { ManagedPolicyArns: ['arn:aws:iam::aws:policy/One'] } },
      Other: { Type: 'AWS::IAM::Role' },
      ...(objectOf(n, {
        Type: 'AWS::IAM::ManagedPolicy',
        Properties: { Roles: [{ Ref: 'Role' }], PolicyDocument: {} },
      }) as Resources),
    }),
  ],
  'IAM: trust policy of a role, characters without white space': set('AWS::IAM::Role', (n) => ({
    AssumeRolePolicyDocument: policyOf(n),
  })),
  'IAM: roles in the account': resources('AWS::IAM::Role'),
  'IAM: customer managed policies in the account': resources('AWS::IAM::ManagedPolicy'),
  'IAM: name of a role, characters': named('AWS::IAM::Role', 'RoleName'),
  'IAM: name of a managed policy, characters': named('AWS::IAM::ManagedPolicy', 'ManagedPolicyName'),
  'IAM: name of an inline policy, characters': set('AWS::IAM::Role', (n) => ({
    Policies: [{ PolicyName: text(n), PolicyDocument: {} }],
  })),
  'IAM: description of a role, characters': named('AWS::IAM::Role', 'Description'),
  'IAM: description of a managed policy, characters': named('AWS::IAM::ManagedPolicy', 'Description'),
  'Lambda: environment variables of a function, bytes': set('AWS::Lambda::Function', (n) => ({
    Environment: { Variables: { TABLE_NAME: text(n) } },
  })),
  'Lambda: resource policy of a function, bytes': (n) => [
    stackOf({
      Function: { Type: 'AWS::Lambda::Function' },
      ...(Object.fromEntries(
        [{ Ref: 'Function' }, { 'Fn::GetAtt': ['Function', 'Arn'] }].map((FunctionName, index) => [
          `Permission${index}`,
          {
            Type: 'AWS::Lambda::Permission',
            Properties: {
              FunctionName,
              Action: 'lambda:InvokeFunction',
              Principal: 'apigateway.amazonaws.com',
              SourceArn: text(index === 0 ? n : 0),
            },
          },
        ]),
      ) as Resources),
    }),
  ],
  'Lambda: code and layers in a region, MB (estimate: 1 MB for each function and version)':
    resources('AWS::Lambda::Function'),
  'Lambda: reserved concurrency in a region, and the 100 that must remain unreserved': set(
    'AWS::Lambda::Function',
    (n) => ({ ReservedConcurrentExecutions: n }),
  ),
  'Lambda: layers of a function': set('AWS::Lambda::Function', (n) => ({ Layers: many(n, () => 'layer') })),
  'Lambda: timeout of a function, seconds': set('AWS::Lambda::Function', (n) => ({ Timeout: n })),
  'Lambda: memory of a function, MB': set('AWS::Lambda::Function', (n) => ({ MemorySize: n })),
  'Lambda: maximum concurrency of a queue’s consumer': set('AWS::Lambda::EventSourceMapping', (n) => ({
    ScalingConfig: { MaximumConcurrency: n },
  })),
  'Lambda: name of a function, characters': named('AWS::Lambda::Function', 'FunctionName'),
  'Lambda: description of a function, characters': named('AWS::Lambda::Function', 'Description'),
  'API Gateway: integrations of an HTTP API': ofApi('Integration'),
  'API Gateway: routes of an HTTP API': ofApi('Route'),
  'API Gateway: stages of an HTTP API': ofApi('Stage'),
  'API Gateway: authorizers of an HTTP API': ofApi('Authorizer'),
  'API Gateway: API mappings of a domain': (n) => [
    stackOf({
      Domain: { Type: 'AWS::ApiGatewayV2::DomainName', Properties: { DomainName: 'api.example.com' } },
      ...(objectOf(n, {
        Type: 'AWS::ApiGatewayV2::ApiMapping',
        Properties: { DomainName: { Ref: 'Domain' } },
      }) as Resources),
    }),
  ],
  'API Gateway: custom domains in a region': resources('AWS::ApiGatewayV2::DomainName'),
  'API Gateway: regional APIs in a region': resources('AWS::ApiGatewayV2::Api'),
  'API Gateway: rate of a route, requests per second': set('AWS::ApiGatewayV2::Stage', (n) => ({
    DefaultRouteSettings: { ThrottlingRateLimit: 0 },
    RouteSettings: { 'GET /leads': { ThrottlingRateLimit: n } },
  })),
  'API Gateway: burst of a route, requests': set('AWS::ApiGatewayV2::Stage', (n) => ({
    DefaultRouteSettings: { ThrottlingBurstLimit: n },
  })),
  'API Gateway: timeout of an integration, milliseconds': set('AWS::ApiGatewayV2::Integration', (n) => ({
    TimeoutInMillis: n,
  })),
  'API Gateway: format of the access log, bytes': set('AWS::ApiGatewayV2::Stage', (n) => ({
    AccessLogSettings: { Format: text(n) },
  })),
  'API Gateway: maximum age of CORS results, seconds': set('AWS::ApiGatewayV2::Api', (n) => ({
    CorsConfiguration: { MaxAge: n },
  })),
  'API Gateway: name of an HTTP API, characters': named('AWS::ApiGatewayV2::Api', 'Name'),
  'SQS: policy of a queue, bytes': set('AWS::SQS::QueuePolicy', (n) => ({ PolicyDocument: policyOf(n) })),
  'SQS: statements of a queue’s policy': set('AWS::SQS::QueuePolicy', (n) => ({
    PolicyDocument: { Statement: many(n, () => ({})) },
  })),
  'SQS: actions of a statement of a queue’s policy': set('AWS::SQS::QueuePolicy', (n) => ({
    PolicyDocument: { Statement: [{ Action: many(n, () => 'sqs:SendMessage') }] },
  })),
  'SQS: name of a queue, characters': named('AWS::SQS::Queue', 'QueueName'),
  'SQS: size of a message, bytes': queue('MaximumMessageSize'),
  'SQS: retention of messages, seconds': queue('MessageRetentionPeriod'),
  'SQS: visibility timeout, seconds': queue('VisibilityTimeout'),
  'SQS: delay of messages, seconds': queue('DelaySeconds'),
  'SNS: name of a topic, characters': named('AWS::SNS::Topic', 'TopicName'),
  'SES: name of a receipt rule set, characters': named('AWS::SES::ReceiptRuleSet', 'RuleSetName'),
  'SES: name of a receipt rule, characters': set('AWS::SES::ReceiptRule', (n) => ({
    Rule: { Name: text(n) },
  })),
  'SES: rules of a receipt rule set': belongingTo(
    'AWS::SES::ReceiptRuleSet',
    'AWS::SES::ReceiptRule',
    'RuleSetName',
  ),
  'SES: recipients of a receipt rule': set('AWS::SES::ReceiptRule', (n) => ({
    Rule: { Recipients: many(n, () => 'mail.example.com') },
  })),
  'SES: name of a configuration set, characters': named('AWS::SES::ConfigurationSet', 'Name'),
  'SES: event destinations of a configuration set': belongingTo(
    'AWS::SES::ConfigurationSet',
    'AWS::SES::ConfigurationSetEventDestination',
    'ConfigurationSetName',
  ),
  'EventBridge Scheduler: name of a schedule, characters': named('AWS::Scheduler::Schedule', 'Name'),
  'EventBridge Scheduler: description of a schedule, characters': named(
    'AWS::Scheduler::Schedule',
    'Description',
  ),
  'EventBridge Scheduler: expression of a schedule, characters': named(
    'AWS::Scheduler::Schedule',
    'ScheduleExpression',
  ),
  'EventBridge Scheduler: input of a schedule’s target, bytes': set('AWS::Scheduler::Schedule', (n) => ({
    Target: { Input: text(n) },
  })),
  'EventBridge Scheduler: retries of a schedule’s target': set('AWS::Scheduler::Schedule', (n) => ({
    Target: { RetryPolicy: { MaximumRetryAttempts: n } },
  })),
  'CloudWatch: metrics in the expression of an alarm': alarm((n) => ({
    Metrics: [{ Expression: 'a + b' }, ...many(n, () => ({ MetricStat: {} }))],
  })),
  'CloudWatch: expressions of an alarm': alarm((n) => ({ Metrics: many(n, () => ({ Expression: 'a' })) })),
  'CloudWatch: actions of an alarm': alarm((n) => ({ AlarmActions: many(n, () => 'topic') })),
  'CloudWatch: dimensions of an alarm’s metric': alarm((n) => ({ Dimensions: many(n, () => ({})) })),
  'CloudWatch: name of an alarm, characters': named('AWS::CloudWatch::Alarm', 'AlarmName'),
  'CloudWatch: description of an alarm, characters': named('AWS::CloudWatch::Alarm', 'AlarmDescription'),
  'CloudWatch: metrics of a widget': dashboard((n) => [0, n]),
  'CloudWatch: metrics of a dashboard': dashboard((n) => [...many(Math.floor(n / 500), () => 500), n % 500]),
  'CloudWatch: name of a dashboard, characters': (n) =>
    one('AWS::CloudWatch::Dashboard', { DashboardName: text(n), DashboardBody: '{}' }),
  'CloudWatch Logs: name of a log group, characters': named('AWS::Logs::LogGroup', 'LogGroupName'),
  'Budgets: notifications of a budget': budget(
    (n) => n,
    () => 1,
  ),
  'Budgets: email addresses of a notification': budget(
    () => 1,
    (n) => n,
  ),
  'Budgets: name of a budget, characters': set('AWS::Budgets::Budget', (n) => ({
    Budget: { BudgetName: text(n) },
  })),
  'CloudFront: cache behaviors of a distribution, with the default behavior': distribution((n) => ({
    CacheBehaviors: many(n, () => ({})),
  })),
  'CloudFront: origins of a distribution': distribution((n) => ({ Origins: many(n, () => ({})) })),
  'CloudFront: alternate domain names of a distribution': distribution((n) => ({
    Aliases: many(n, () => 'api.example.com'),
  })),
  'CloudFront: response timeout of an origin, seconds': origin((n) => ({
    CustomOriginConfig: { OriginReadTimeout: n },
  })),
  'CloudFront: custom headers of an origin': origin((n) => ({
    OriginCustomHeaders: many(n, () => header(1, 1)),
  })),
  'CloudFront: name of a custom header, characters': origin((n) => ({ OriginCustomHeaders: [header(n, 1)] })),
  'CloudFront: value of a custom header, characters': origin((n) => ({
    OriginCustomHeaders: [header(1, n)],
  })),
  'CloudFront: names and values of the custom headers of an origin, characters': origin((n) => ({
    OriginCustomHeaders: [header(1, n), header(1, 1)],
  })),
  'CloudFront: comment of a distribution, characters': distribution((n) => ({ Comment: text(n) })),
  'CloudFront: distributions in the account': resources('AWS::CloudFront::Distribution'),
  'CloudFront: CloudFront functions in the account': resources('AWS::CloudFront::Function'),
  'CloudFront: code of a CloudFront function, bytes': named('AWS::CloudFront::Function', 'FunctionCode'),
  'CloudFront: name of a CloudFront function, characters': named('AWS::CloudFront::Function', 'Name'),
  // Each number of WCUs is even.
  'WAF: capacity of a web ACL, WCUs': webAcl((n) => [
    ...many(Math.floor(n / 24), () => rateBased(100, match('EXACTLY', 1, 2))),
    ...many(Math.floor((n % 24) / 10), () => match('CONTAINS')),
    ...many(((n % 24) % 10) / 2, () => match('STARTS_WITH')),
  ]),
  'WAF: rate-based rules of a web ACL': webAcl((n) => many(n, () => rateBased(100))),
  'WAF: limit of a rate-based rule, requests': webAcl((n) => [rateBased(n)]),
  'WAF: text transformations of a statement': webAcl((n) => [rateBased(100, match('EXACTLY', 1, n))]),
  'WAF: text of a string match statement, characters': webAcl((n) => [match('EXACTLY', n)]),
  'WAF: custom response body, bytes': webAcl(
    () => [],
    (n) => bodies(1, n),
  ),
  'WAF: custom response bodies of a web ACL together, bytes': webAcl(
    () => [],
    (n) => bodies(n, 1),
  ),
  'WAF: custom response headers of a rule': webAcl((n) => [
    {
      ...rateBased(100),
      Action: { Block: { CustomResponse: { ResponseHeaders: many(n, () => ({ Name: 'retry-after' })) } } },
    },
  ]),
  'WAF: web ACLs in a region': resources('AWS::WAFv2::WebACL'),
  'WAF: name of a web ACL, characters': named('AWS::WAFv2::WebACL', 'Name'),
  'WAF: description of a web ACL, characters': named('AWS::WAFv2::WebACL', 'Description'),
  'DynamoDB: global secondary indexes of a table': table((n) => ({
    GlobalSecondaryIndexes: many(n, () => ({})),
  })),
  'DynamoDB: attributes that all indexes of a table project': table((n) => ({
    GlobalSecondaryIndexes: [n, 0].map((attributes) => ({
      Projection: { NonKeyAttributes: many(attributes, () => 'name') },
    })),
  })),
  'DynamoDB: read units of a table or index, per second': table((n) => ({
    Replicas: [{ GlobalSecondaryIndexes: [{ ReadOnDemandThroughputSettings: { MaxReadRequestUnits: n } }] }],
  })),
  'DynamoDB: write units of a table or index, per second': table((n) => ({
    GlobalSecondaryIndexes: [{ WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: n } }],
  })),
  'DynamoDB: tables in a region': resources('AWS::DynamoDB::GlobalTable'),
  'DynamoDB: name of a table, characters': named('AWS::DynamoDB::GlobalTable', 'TableName'),
  'DynamoDB: name of an index, characters': table((n) => ({
    GlobalSecondaryIndexes: [{ IndexName: text(n) }],
  })),
  'S3: name of a bucket, characters': named('AWS::S3::Bucket', 'BucketName'),
  'S3: policy of a bucket, bytes': set('AWS::S3::BucketPolicy', (n) => ({ PolicyDocument: policyOf(n) })),
  'S3: lifecycle rules of a bucket': set('AWS::S3::Bucket', (n) => ({
    LifecycleConfiguration: { Rules: many(n, () => ({})) },
  })),
  'S3: CORS rules of a bucket': set('AWS::S3::Bucket', (n) => ({
    CorsConfiguration: { CorsRules: many(n, () => ({})) },
  })),
  'KMS: policy of a key, bytes': set('AWS::KMS::Key', (n) => ({ KeyPolicy: policyOf(n) })),
  'KMS: description of a key, characters': named('AWS::KMS::Key', 'Description'),
  'KMS: name of an alias, characters': named('AWS::KMS::Alias', 'AliasName'),
  'Secrets Manager: name of a secret, characters': named('AWS::SecretsManager::Secret', 'Name'),
  'Secrets Manager: description of a secret, characters': named('AWS::SecretsManager::Secret', 'Description'),
};
