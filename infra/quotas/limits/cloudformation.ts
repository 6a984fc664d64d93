import { inEachStack, type Limit, totals } from '../limit.ts';
import { countDynamicReferences } from '../longest-values.ts';
import type { CloudFormationTemplate, StackTemplate } from '../stack-template.ts';

const service = 'CloudFormation';
const source = 'https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html';

const sizeOf = (part: object | undefined): number => Object.keys(part ?? {}).length;

/** The longest name in a part of a template. */
const longestName =
  (part: keyof CloudFormationTemplate) =>
  ({ template }: StackTemplate): number =>
    Math.max(0, ...Object.keys(template[part] ?? {}).map((name) => name.length));

export const cloudFormationLimits: readonly Limit[] = [
  {
    service,
    counted: 'resources of a stack',
    allowed: 500,
    kind: 'hard',
    source,
    usages: inEachStack(({ template }) => sizeOf(template.Resources)),
  },
  {
    service,
    counted: 'outputs of a stack',
    allowed: 200,
    kind: 'hard',
    source,
    usages: inEachStack(({ template }) => sizeOf(template.Outputs)),
  },
  {
    service,
    counted: 'parameters of a stack',
    allowed: 200,
    kind: 'hard',
    source,
    usages: inEachStack(({ template }) => sizeOf(template.Parameters)),
  },
  {
    service,
    counted: 'size of a template in S3, bytes',
    allowed: 1_000_000,
    kind: 'hard',
    source,
    usages: inEachStack(({ template }) => Buffer.byteLength(JSON.stringify(template))),
  },
  {
    service,
    counted: 'dynamic references in a template',
    allowed: 60,
    kind: 'hard',
    source,
    usages: inEachStack(countDynamicReferences),
  },
  {
    service,
    counted: 'logical id of a resource, characters',
    allowed: 255,
    kind: 'hard',
    source,
    usages: inEachStack(longestName('Resources')),
  },
  {
    service,
    counted: 'name of an output, characters',
    allowed: 255,
    kind: 'hard',
    source,
    usages: inEachStack(longestName('Outputs')),
  },
  {
    service,
    counted: 'name of a parameter, characters',
    allowed: 255,
    kind: 'hard',
    source,
    usages: inEachStack(longestName('Parameters')),
  },
  {
    service,
    counted: 'name of a stack, characters',
    allowed: 128,
    kind: 'hard',
    source,
    usages: inEachStack(({ name }) => name.length),
  },
  {
    service,
    counted: 'stacks in a region',
    allowed: 2000,
    kind: 'increasable',
    quota: { serviceCode: 'cloudformation', quotaCode: 'L-0485CB21' },
    source,
    usages: ({ stacks }) => totals(stacks.map(({ region }) => ({ region, used: 1 }))),
  },
];
