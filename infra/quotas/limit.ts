import type { LongestValues } from './longest-values.ts';
import type { Properties, StackTemplate } from './stack-template.ts';

/** A limit of an AWS service, whose use can be computed from templates. */
export interface Limit {
  service: string;
  /** The counted things, or the measured property with its unit. */
  counted: string;
  /** The maximum. For an increasable limit, AWS's default. Some defaults depend on the region. */
  allowed: number | ((region: string) => number);
  /** If true, `allowed` is the minimum. */
  minimum?: true;
  /** If true, the number is a setting, which may be as high as the limit. The check does not warn about it. */
  setting?: true;
  /** A hard limit cannot be increased. A deployment above an increasable limit fails until AWS has increased it. */
  kind: 'hard' | 'increasable';
  /** How the Service Quotas API identifies the limit. Undefined if only AWS Support can increase it. */
  quota?: Quota;
  /** The page of the AWS documentation. */
  source: string;
  usages: (templates: Templates) => Usage[];
}

/** A limit in a list of `limitsOf`. */
export type ListedLimit = Omit<Limit, 'service' | 'source' | 'kind'> &
  Partial<Pick<Limit, 'source' | 'kind'>>;

/** Returns limits of a service. By default, a limit is hard and its page is `source`. */
export const limitsOf = (service: string, source: string, limits: readonly ListedLimit[]): Limit[] =>
  limits.map((limit) => ({ service, source, kind: 'hard', ...limit }));

export interface Quota {
  serviceCode: string;
  quotaCode: string;
  /** The region of a quota that is the same in all regions. Default: the region of the stage. */
  region?: string;
  /** The number of the limit's units in a unit of the quota. Default 1. */
  unit?: number;
}

/** How much of a limit is used, and where. */
export interface Usage {
  /** For example `merchant-ops-prod-events/jobsRole4C7D4D19`. */
  where: string;
  region: string;
  used: number;
}

/** The templates of a check, and their resources by type. */
export interface Templates {
  stacks: readonly StackTemplate[];
  resources: ReadonlyMap<string, readonly DeclaredResource[]>;
}

/** A resource of a template. */
export interface DeclaredResource {
  id: string;
  stack: StackTemplate;
  properties: Properties;
  /** Returns a property without references. */
  resolve: (value: unknown) => unknown;
}

/** Returns the templates of stacks for a check. */
export function templatesOf(stacks: readonly StackTemplate[], values: LongestValues): Templates {
  const resources = new Map<string, DeclaredResource[]>();
  for (const stack of stacks)
    for (const [id, { Type, Properties: properties = {} }] of Object.entries(
      stack.template.Resources ?? {},
    )) {
      const ofType = resources.get(Type) ?? [];
      resources.set(Type, ofType);
      ofType.push({ id, stack, properties, resolve: (value) => values.resolve(stack, value) });
    }
  return { stacks, resources };
}

/** Returns the resources of one of these types. */
export const resourcesOf = ({ resources }: Templates, ...types: readonly string[]): DeclaredResource[] =>
  types.flatMap((type) => resources.get(type) ?? []);

export const usageOf = ({ id, stack }: DeclaredResource, used: number, part?: string): Usage => ({
  where: [stack.name, id, ...(part === undefined ? [] : [part])].join('/'),
  region: stack.region,
  used,
});

/** Counts something in each resource of a type. Omits resources for which `count` returns undefined. */
export const inEach =
  (type: string, count: (resource: DeclaredResource) => number | undefined) =>
  (templates: Templates): Usage[] =>
    resourcesOf(templates, type).flatMap((resource) => {
      const used = count(resource);
      return used === undefined ? [] : [usageOf(resource, used)];
    });

/** Counts something in each part of each resource of a type. `parts` returns names and counts. */
export const inEachPart =
  (type: string, parts: (resource: DeclaredResource) => readonly (readonly [string, number])[]) =>
  (templates: Templates): Usage[] =>
    resourcesOf(templates, type).flatMap((resource) =>
      parts(resource).map(([part, used]) => usageOf(resource, used, part)),
    );

/** Counts something in each stack. */
export const inEachStack =
  (count: (stack: StackTemplate) => number) =>
  ({ stacks }: Templates): Usage[] =>
    stacks.map((stack) => ({ where: stack.name, region: stack.region, used: count(stack) }));

/** Counts the resources of these types in each region, or adds the numbers of `count` to `base`. */
export const perRegion =
  (types: readonly string[], countOne: (resource: DeclaredResource) => number = () => 1, base = 0) =>
  (templates: Templates): Usage[] =>
    totals(
      resourcesOf(templates, ...types).map((one) => ({ region: one.stack.region, used: countOne(one) })),
      base,
    );

/** Adds the numbers of each region. */
export const totals = (numbers: readonly { region: string; used: number }[], base = 0): Usage[] =>
  [...new Set(numbers.map(({ region }) => region))].map((region) => ({
    where: region,
    region,
    used: numbers.reduce((sum, one) => sum + (one.region === region ? one.used : 0), base),
  }));

/** Counts the resources of a type in the AWS account. `region` is where AWS counts them. */
export const perAccount =
  (type: string, region: string) =>
  (templates: Templates): Usage[] => {
    const used = resourcesOf(templates, type).length;
    return used === 0 ? [] : [{ where: 'the AWS account', region, used }];
  };

/** Counts the resources of a type for each resource that they belong to, such as the routes of each API. */
export const perOwner =
  (ownerType: string, type: string, property: string) =>
  (templates: Templates): Usage[] => {
    const owners = resourcesOf(templates, type).map(({ properties, resolve }) =>
      resolve(properties[property]),
    );
    return resourcesOf(templates, ownerType).map((owner) => {
      const id = owner.resolve({ Ref: owner.id });
      return usageOf(owner, owners.filter((one) => one === id).length);
    });
  };

/** Returns a list, or an empty list if the property is missing. */
export const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Returns an object, or an empty object if the property is missing. */
export const objectOf = (value: unknown): Properties =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Properties) : {};

/** Returns the number of characters of a text, or undefined if there is no text. */
export const lengthOf = (value: unknown): number | undefined =>
  typeof value === 'string' ? value.length : undefined;

/** Returns a number, or undefined if the property is missing. */
export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** Returns the number of bytes of a text, or of the JSON text of another value. */
export const byteLengthOf = (value: unknown): number =>
  Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));

/** A limit for the number of characters of a property. */
export const characters = (type: string, property: string): Pick<Limit, 'usages'> => ({
  usages: inEach(type, ({ properties, resolve }) => lengthOf(resolve(properties[property]))),
});
