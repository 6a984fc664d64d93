import { Match, type Template } from 'aws-cdk-lib/assertions';
import { beforeAll, expect, test } from 'vitest';
import { environmentOf, requireDeployable, type StageSettings, stageNamed } from '../../infra/stages.ts';
import {
  builtManifest,
  type Deployment,
  deploymentOf,
  expectResource,
  fewEndpoints,
  resources,
  templatesOf,
} from '../harness/deployment.ts';
import { completedProd as prod } from '../harness/production.ts';

interface Statement {
  Effect: string;
  Action: unknown;
  Resource: unknown;
  Principal: { Service?: string };
  Condition?: unknown;
}
type Policy = { Statement: Statement[] };

/** The deployments of `prod` with and without mail, and of the stage for emulators. */
let mailing: Deployment;
let silent: Deployment;
let emulated: Deployment;

beforeAll(async () => {
  const manifest = fewEndpoints(await builtManifest());
  const { mailDomain: _, ...without } = prod;
  mailing = deploymentOf(prod, manifest);
  silent = deploymentOf(without, manifest);
  emulated = deploymentOf(stageNamed('local'), manifest);
});

const [owner, name] = ['123456789012', 'merchant-ops-prod-mail'];
/** The ends of the ARNs that SES sends with its requests. */
const ruleArn = `:ses:eu-central-1:${owner}:receipt-rule-set/${name}:receipt-rule/${name}`;
const setArn = `:ses:eu-central-1:${owner}:configuration-set/${name}`;

/** The statements for SES in the policies of resources of a type. */
const forSes = (template: Template, type: string, property = 'PolicyDocument'): Statement[] =>
  resources<Record<string, Policy>>(template, type)
    .flatMap(([, properties]) => properties[property]?.Statement ?? [])
    .filter(({ Principal }) => Principal.Service === 'ses.amazonaws.com');

test('SES stores received mail below mail/ in the encrypted bucket, scans it, and notifies the topic', () => {
  expectResource(mailing.events, 'AWS::SES::ReceiptRule', {
    RuleSetName: Match.anyValue(),
    Rule: {
      Name: name,
      Enabled: true,
      Recipients: ['mail.example.com'],
      ScanEnabled: true,
      // RFC 3207, section 4: a public server must not require TLS.
      TlsPolicy: 'Optional',
      Actions: [
        {
          S3Action: {
            BucketName: Match.anyValue(),
            ObjectKeyPrefix: 'mail/',
            TopicArn: { Ref: Match.stringLikeRegexp('^MailTopic') },
          },
        },
      ],
    },
  });
  expectResource(mailing.data, 'AWS::S3::Bucket', {
    LifecycleConfiguration: {
      Rules: Match.arrayWith([
        Match.objectLike({ Prefix: 'mail/', ExpirationInDays: 30, Status: 'Enabled' }),
      ]),
    },
  });
});

test('only the receipt rule of the stage may write to the bucket for SES, and use its key', () => {
  const [put, ...others] = forSes(mailing.data, 'AWS::S3::BucketPolicy');
  const [encrypt, ...more] = forSes(mailing.data, 'AWS::KMS::Key', 'KeyPolicy');
  expect([others, more]).toEqual([[], []]);
  expect(put).toMatchObject({ Effect: 'Allow', Action: 's3:PutObject' });
  expect(JSON.stringify(put?.Resource)).toMatch(/\/mail\/\*"/);
  expect(encrypt).toMatchObject({ Effect: 'Allow', Action: ['kms:GenerateDataKey*', 'kms:Decrypt'] });
  for (const statement of [put, encrypt]) {
    expect(statement?.Condition).toMatchObject({ StringEquals: { 'aws:SourceAccount': expect.anything() } });
    expect(JSON.stringify(statement?.Condition)).toContain(ruleArn);
  }
});

test('only the receipt rule and the configuration set of the stage may publish to the topic', () => {
  const [publish, ...others] = forSes(mailing.events, 'AWS::SNS::TopicPolicy');
  expect(others).toEqual([]);
  expect(publish).toMatchObject({
    Effect: 'Allow',
    Action: 'sns:Publish',
    Condition: { StringEquals: { 'aws:SourceAccount': owner } },
  });
  for (const arn of [ruleArn, setArn]) expect(JSON.stringify(publish?.Condition)).toContain(arn);
});

test('the queue receives the notifications without an envelope, and only from this topic', () => {
  expectResource(mailing.events, 'AWS::SNS::Subscription', {
    Protocol: 'sqs',
    RawMessageDelivery: true,
    Endpoint: { 'Fn::GetAtt': [Match.stringLikeRegexp('^incomingQueue'), 'Arn'] },
  });
  const allowed = resources<{ PolicyDocument: Policy }>(mailing.events, 'AWS::SQS::QueuePolicy')
    .flatMap(([, { PolicyDocument: document }]) => document.Statement)
    .filter(({ Effect }) => Effect === 'Allow');
  expect(allowed).toMatchObject([
    {
      Action: 'sqs:SendMessage',
      Principal: { Service: 'sns.amazonaws.com' },
      Condition: { ArnEquals: { 'aws:SourceArn': { Ref: expect.stringMatching(/^MailTopic/) } } },
    },
  ]);
});

test('the outcomes of sent mail are published, and functions get the name of the configuration set', () => {
  expectResource(mailing.events, 'AWS::SES::ConfigurationSet', {
    Name: name,
    SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  });
  expectResource(mailing.events, 'AWS::SES::ConfigurationSetEventDestination', {
    EventDestination: {
      Enabled: true,
      MatchingEventTypes: Match.arrayWith(['bounce', 'complaint', 'reject']),
      SnsDestination: { TopicARN: { Ref: Match.stringLikeRegexp('^MailTopic') } },
    },
  });
  expect(environmentOf(prod)).toMatchObject({
    MAIL_DOMAIN: 'mail.example.com',
    MAIL_CONFIGURATION_SET: name,
    SERVICE_HOSTS: expect.stringContaining('mail.example.com'),
  });
});

test('without mailDomain, a stage has neither the resources of mail nor rights for SES', () => {
  const templates = templatesOf(silent).map((template) => JSON.stringify(template.toJSON()));
  for (const text of templates) expect(text).not.toMatch(/AWS::SES::|"ses\.amazonaws\.com"|mail-bounces/);
});

test('an emulator gets the topic and the configuration set, but no receipt rule, which emulators do not support', () => {
  const count = (type: string) => resources(emulated.events, type).length;
  expect(count('AWS::SES::ReceiptRule') + count('AWS::SES::ReceiptRuleSet')).toBe(0);
  expect(count('AWS::SES::ConfigurationSetEventDestination')).toBe(1);
});

test('a stage with mailDomain cannot be deployed to a region without SES', () => {
  const dev: StageSettings = { ...stageNamed('dev'), mailDomain: 'mail.example.com' };
  const message = 'The stage dev has mailDomain, but there is no SES in ap-east-1.';
  expect(() => requireDeployable({ ...dev, region: 'ap-east-1' }, {})).toThrow(message);
  expect(() => requireDeployable(dev, { CDK_DEFAULT_REGION: 'ap-east-1' })).toThrow(message);
  expect(requireDeployable(dev, { CDK_DEFAULT_REGION: 'eu-north-1' })).toBe(dev);
});
