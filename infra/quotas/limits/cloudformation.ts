import { inEachStack, type Limit, limitsOf, totals } from '../limit.ts';
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

export const cloudFormationLimits: readonly Limit[] = limitsOf(service, source, [
  {
    counted: 'resources of a stack',
    allowed: 500,
    usages: inEachStack(({ template }) => sizeOf(template.Resources)),
  },
  {
    counted: 'outputs of a stack',
    allowed: 200,
    usages: inEachStack(({ template }) => sizeOf(template.Outputs)),
  },
  {
    counted: 'parameters of a stack',
    allowed: 200,
    usages: inEachStack(({ template }) => sizeOf(template.Parameters)),
  },
  {
    counted: 'size of a template in S3, bytes',
    allowed: 1_000_000,
    usages: inEachStack(({ template }) => Buffer.byteLength(JSON.stringify(template))),
  },
  {
    counted: 'dynamic references in a template',
    allowed: 60,
    usages: inEachStack(countDynamicReferences),
  },
  {
    counted: 'logical id of a resource, characters',
    allowed: 255,
    usages: inEachStack(longestName('Resources')),
  },
  {
    counted: 'name of an output, characters',
    allowed: 255,
    usages: inEachStack(longestName('Outputs')),
  },
  {
    counted: 'name of a parameter, characters',
    allowed: 255,
    usages: inEachStack(longestName('Parameters')),
  },
  {
    counted: 'name of a stack, characters',
    allowed: 128,
    usages: inEachStack(({ name }) => name.length),
  },
  {
    counted: 'stacks in a region',
    allowed: 2000,
    kind: 'increasable',
    quota: { serviceCode: 'cloudformation', quotaCode: 'L-0485CB21' },
    usages: ({ stacks }) => totals(stacks.map(({ region }) => ({ region, used: 1 }))),
  },
]);
