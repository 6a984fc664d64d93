import { describe, expect, test } from 'vitest';
import { textTable } from '../../infra/operations/print.ts';
import {
  awsLimits,
  checkQuotas,
  describeFinding,
  highestOf,
  isImpossible,
  rowsOf,
  warningShare,
  warningsOf,
} from '../../infra/quotas/check.ts';
import type { Limit } from '../../infra/quotas/limit.ts';
import { roleLimits } from '../../infra/quotas/limits/iam.ts';
import { LongestValues, longestRegion } from '../../infra/quotas/longest-values.ts';
import type { StackTemplate } from '../../infra/quotas/stack-template.ts';
import { templatesOfApp } from '../../infra/quotas/synthesize.ts';
import { edgeRegion, type StageSettings, stageNamed, stageNames } from '../../infra/stages.ts';
import { builtManifest, deploymentOf } from '../harness/deployment.ts';
import { stackOf, stacksAtLimit } from './stacks-at-limit.ts';

/** The settings that add resources, with long values. */
const withSettings = (stage: StageSettings, region = longestRegion): StageSettings => ({
  ...stage,
  region,
  awsAccount: '123456789012',
  alarmEmails: Array.from({ length: 10 }, (_, n) => `operator-${n}@operations.example.com`),
  mailFrom: 'Merchant Operations of Example <notifications@operations.example.com>',
  mailDomain: 'mail-of-customers.operations.example.com',
  allowedOrigins: Array.from({ length: 5 }, (_, n) => `https://portal-${n}.operations.example.com`),
  monthlyBudget: 1000,
  domain: {
    name: 'api.operations.example.com',
    certificateArn: `arn:aws:acm:${stage.edge ? edgeRegion : region}:123456789012:certificate/12345678-1234-1234-1234-123456789012`,
  },
});

const manifest = await builtManifest();
/** The findings of each stage. `prod` is included with and without CloudFront. */
const stages = [
  ...stageNames.map((name) => ({ name: String(name), stage: stageNamed(name) })),
  { name: 'prod without CloudFront', stage: { ...stageNamed('prod'), edge: undefined } },
].map(({ name, stage }) => {
  const { app } = deploymentOf(withSettings(stage), manifest);
  const templates = templatesOfApp(app);
  return { name, templates, findings: checkQuotas(templates) };
});

const all = stages.flatMap(({ findings }) => findings);
process.stdout.write(
  [
    'The highest use of each AWS limit, in all stages:',
    ...textTable(rowsOf(all)),
    ...warningsOf(all).map((warning) => `More than 80% of a limit: ${warning}`),
    '',
  ].join('\n'),
);

describe.each(stages)('the templates of $name in the longest region', ({ templates, findings }) => {
  test('are within all limits that AWS does not increase', () => {
    expect(findings.filter(isImpossible).map(describeFinding)).toEqual([]);
  });

  test('are within the defaults of the limits that AWS increases', () => {
    expect(
      findings.filter(({ limit, share }) => limit.kind === 'increasable' && share > 1).map(describeFinding),
    ).toEqual([]);
  });

  test('have outputs whose longest values are known', () => {
    const values = new LongestValues(templates);
    const outputs = templates.flatMap((stack) =>
      Object.values(stack.template.Outputs ?? {}).map(({ Value }) => values.text(stack, Value)),
    );
    expect(outputs.length).toBeGreaterThan(10);
    expect(outputs).not.toContain('');
  });

  test('use at most 80% of the limits of a role', () => {
    const ofRoles = findings.filter(({ limit }) => roleLimits.includes(limit));
    expect(ofRoles.length).toBeGreaterThan(100);
    expect(ofRoles.filter(({ share }) => share > warningShare).map(describeFinding)).toEqual([]);
  });
});

describe('the check', () => {
  const nameOf = ({ service, counted }: Limit) => `${service}: ${counted}`;

  test('has an example for each limit', () => {
    expect(Object.keys(stacksAtLimit).sort()).toEqual([...new Set(awsLimits.map(nameOf))].sort());
  });

  test.each(awsLimits.map((limit) => [nameOf(limit), limit] as const))(
    'accepts stacks at a limit, and rejects stacks above the limit: %s',
    (name, limit) => {
      const stacks = stacksAtLimit[name];
      if (!stacks) throw new Error(`Add ${name} to stacks-at-limit.ts.`);
      const highest = (n: number) => {
        const [finding] = highestOf(checkQuotas(stacks(n), [limit]));
        return finding ?? { used: 0, share: 0, allowed: 0 };
      };
      const unused = highest(0).used;
      const { allowed } = highest(1);
      const at = highest(allowed - unused);
      expect([at.used, at.share]).toEqual([allowed, 1]);
      // WCUs are even.
      const step = (limit.minimum ? -1 : 1) * (name.includes('WCUs') ? 2 : 1);
      const above = highest(allowed - unused + step);
      expect([above.used, above.share > 1]).toEqual([allowed + step, true]);
    },
  );

  test('the limits are those that were compared with the AWS documentation', async () => {
    const lines = awsLimits.map((limit) => {
      const { allowed, kind, minimum, quota } = limit;
      const numbers = ['us-east-1', 'af-south-1', longestRegion].map((region) =>
        typeof allowed === 'number' ? allowed : allowed(region),
      );
      const parts = [...new Set(numbers)].join(' or ');
      return `${nameOf(limit)}: ${minimum ? 'at least ' : ''}${parts}, ${kind}${quota ? ` (${quota.quotaCode})` : ''}`;
    });
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('limits.txt');
  });

  test('every limit has a source in the AWS documentation, and only increasable limits have a quota', () => {
    for (const limit of awsLimits) {
      expect(limit.source, nameOf(limit)).toMatch(/^https:\/\/docs\.aws\.amazon\.com\//);
      expect(limit.quota === undefined || limit.kind === 'increasable', nameOf(limit)).toBe(true);
    }
    const codes = awsLimits.flatMap(({ quota }) => (quota ? [quota.quotaCode] : []));
    expect(codes.length).toBeGreaterThan(10);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('reports a role with 10,517 characters as impossible, and a function name of 60 characters as a warning', () => {
    const policyFor = (Resource: string) => ({ Statement: [{ Effect: 'Allow', Action: 's3:*', Resource }] });
    const policy = policyFor('x'.repeat(10_517 - JSON.stringify(policyFor('')).length));
    const findings = checkQuotas([
      stackOf({
        Role: {
          Type: 'AWS::IAM::Role',
          Properties: {
            AssumeRolePolicyDocument: {},
            Policies: [{ PolicyName: 'rights', PolicyDocument: policy }],
          },
        },
        One: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'x'.repeat(60) } },
        Two: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: 'x'.repeat(55), Timeout: 900 } },
      }),
    ]);
    const tooLong =
      'IAM: inline policies of a role together, characters without white space: 10,517 of 10,240 (103%, hard) in stack/Role';
    expect(findings.filter(isImpossible).map(describeFinding)).toEqual([tooLong]);
    expect(warningsOf(findings)).toEqual([
      tooLong,
      'Lambda: name of a function, characters: 60 of 64 (94%, hard) in stack/One, and in 1 other places',
    ]);
  });

  test('counts the integrations of each API in all stacks', () => {
    const api = 'AWS::ApiGatewayV2::Api';
    const integrations = (n: number, ApiId: object) =>
      Object.fromEntries(
        Array.from({ length: n }, (_, index) => [
          `Integration${index}`,
          { Type: 'AWS::ApiGatewayV2::Integration', Properties: { ApiId } },
        ]),
      );
    const gateway = stackOf({ One: { Type: api }, Two: { Type: api }, ...integrations(151, { Ref: 'One' }) });
    const stacks = [
      {
        ...gateway,
        template: {
          ...gateway.template,
          Outputs: { One: { Value: { Ref: 'One' }, Export: { Name: 'stack:One' } } },
        },
      },
      stackOf(integrations(150, { 'Fn::ImportValue': 'stack:One' }), 'other'),
    ];
    expect(checkQuotas(stacks).filter(isImpossible).map(describeFinding)).toEqual([
      'API Gateway: integrations of an HTTP API: 301 of 300 (101%, hard) in stack/One',
    ]);
  });

  test('uses the lower throttles of some regions', () => {
    const stage = {
      Stage: {
        Type: 'AWS::ApiGatewayV2::Stage',
        Properties: { DefaultRouteSettings: { ThrottlingBurstLimit: 2000 } },
      },
    };
    expect(checkQuotas([stackOf(stage)]).filter(isImpossible)).toEqual([]);
    expect(
      checkQuotas([stackOf(stage, 'stack', 'eu-central-2')])
        .filter(isImpossible)
        .map(describeFinding),
    ).toEqual(['API Gateway: burst of a route, requests: 2,000 of 1,250 (160%, hard) in stack/Stage']);
  });

  test('refuses a WAF statement whose capacity is unknown', () => {
    const acl = {
      Acl: {
        Type: 'AWS::WAFv2::WebACL',
        Properties: { Rules: [{ Name: 'countries', Statement: { GeoMatchStatement: {} } }] },
      },
    };
    expect(() => checkQuotas([stackOf(acl)])).toThrow('The WCUs of GeoMatchStatement');
  });
});

/** Replaces `<name>` by a variable of `Fn::Sub`. */
function sub(text: string, variables?: object): object {
  const template = text.replaceAll(/<([^>]+)>/g, (_, name) => `\${${name}}`);
  return { 'Fn::Sub': variables ? [template, variables] : template };
}

describe('the longest value', () => {
  const stacks: StackTemplate[] = [
    {
      name: 'data',
      region: longestRegion,
      template: {
        Parameters: { Size: { Default: 'large' } },
        Resources: {
          Table: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: 'leads' } },
          Role: { Type: 'AWS::IAM::Role' },
          Secret: {
            Type: 'AWS::SecretsManager::Secret',
            Properties: { Name: sub('<AWS::StackName>-key') },
          },
          Unknown: { Type: 'AWS::Unknown::Thing' },
        },
        Outputs: {
          Arn: {
            Value: { 'Fn::GetAtt': ['Table', 'Arn'] },
            Export: { Name: sub('<AWS::StackName>:Arn') },
          },
          Host: { Value: { 'Fn::Join': ['.', ['db', { Ref: 'AWS::Region' }, { Ref: 'AWS::URLSuffix' }]] } },
        },
      },
    },
    { name: 'edge', region: longestRegion, template: {} },
  ];
  const values = new LongestValues(stacks);
  const [data, edge] = stacks;
  const inData = (value: unknown) => data && values.resolve(data, value);
  const inEdge = (value: unknown) => edge && values.resolve(edge, value);
  const tableArn = 'arn:aws:dynamodb:ap-northeast-1:123456789012:table/leads';

  test.each<[string, unknown, unknown]>([
    ['a pseudo parameter', { Ref: 'AWS::AccountId' }, '123456789012'],
    ['a parameter', { Ref: 'Size' }, 'large'],
    ['a name', { Ref: 'Table' }, 'leads'],
    ['an attribute', { 'Fn::GetAtt': ['Table', 'Arn'] }, tableArn],
    ['an attribute as text', { 'Fn::GetAtt': 'Table.Arn' }, tableArn],
    [
      'the ARN of a secret',
      { Ref: 'Secret' },
      'arn:aws:secretsmanager:ap-northeast-1:123456789012:secret:data-key-xxxxxx',
    ],
    ['a joined list', { 'Fn::Join': ['-', ['a', { Ref: 'Table' }, 1]] }, 'a-leads-1'],
    ['a text with variables', sub('<Table>/<Table.Arn>/<!Table>'), `leads/${tableArn}/\${Table}`],
    ['a text with own variables', sub('<a>!', { a: { Ref: 'Table' } }), 'leads!'],
    ['a list without missing values', ['a', { Ref: 'AWS::NoValue' }], ['a']],
    ['an object without missing values', { a: { Ref: 'AWS::NoValue' }, b: { Ref: 'Size' } }, { b: 'large' }],
    ['a secret', '{{resolve:secretsmanager:token:SecretString:1::}}', 'x'.repeat(64)],
  ])('of %s is known', (_, value, expected) => {
    expect(inData(value)).toEqual(expected);
  });

  test('of another stack’s export or output is known', () => {
    expect(inEdge({ 'Fn::ImportValue': 'data:Arn' })).toBe(tableArn);
    expect(inEdge({ 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Host' } })).toBe(
      'db.ap-northeast-1.amazonaws.com',
    );
  });

  test('of a name that CloudFormation generates has the stack, the id and 13 characters, but at most the longest name', () => {
    expect(inData({ Ref: 'Role' })).toHaveLength('data-Role-'.length + 13);
    const id = 'x'.repeat(60);
    const stack = stackOf({ [id]: { Type: 'AWS::IAM::Role' } });
    expect(new LongestValues([stack]).resolve(stack, { Ref: id })).toHaveLength(64);
  });

  test.each<[string, unknown]>([
    ['no stack in ap-northeast-1 exports other:Arn', { 'Fn::ImportValue': 'other:Arn' }],
    ['has no output Port', { 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Port' } }],
    ['the length of Ref of Unknown (AWS::Unknown::Thing) is unknown', { Ref: 'Unknown' }],
    [
      'the length of Name of Table (AWS::DynamoDB::GlobalTable) is unknown',
      { 'Fn::GetAtt': ['Table', 'Name'] },
    ],
    ['the length of Fn::Base64 is unknown', { 'Fn::Base64': 'a' }],
  ])('is an error, if %s', (message, value) => {
    expect(() => inData(value)).toThrow(message);
  });
});
