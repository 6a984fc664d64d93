import {
  characters,
  type DeclaredResource,
  inEach,
  itemsOf,
  type Limit,
  limitsOf,
  objectOf,
  perAccount,
  resourcesOf,
  type Templates,
  type Usage,
  usageOf,
} from '../limit.ts';

const service = 'IAM';
const guide = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html';
const objectQuotas = `${guide}#reference_iam-quotas-entities`;
const characterQuotas = `${guide}#reference_iam-quotas-entity-length`;
const reference = 'https://docs.aws.amazon.com/IAM/latest/APIReference';
/** IAM is global. Its quotas are in this region. */
const region = 'us-east-1';

/** Returns the number of characters of a policy. IAM does not count white space. */
const policyCharacters = (policy: unknown): number => JSON.stringify(policy).replaceAll(/\s/g, '').length;

/** Returns the policies of a type that are attached to a role by the property `Roles`. */
const attachedTo = (role: DeclaredResource, templates: Templates, type: string): DeclaredResource[] => {
  const name = role.resolve({ Ref: role.id });
  return resourcesOf(templates, type).filter(({ properties, resolve }) =>
    itemsOf(resolve(properties.Roles)).includes(name),
  );
};

const ofRoles =
  (count: (role: DeclaredResource, templates: Templates) => number) =>
  (templates: Templates): Usage[] =>
    resourcesOf(templates, 'AWS::IAM::Role').map((role) => usageOf(role, count(role, templates)));

/** The limits of a role and its policies. */
export const roleLimits: readonly Limit[] = limitsOf(service, characterQuotas, [
  {
    counted: 'inline policies of a role together, characters without white space',
    allowed: 10_240,
    usages: ofRoles((role, templates) => {
      const own = itemsOf(role.resolve(role.properties.Policies)).map(
        (policy) => objectOf(policy).PolicyDocument,
      );
      const attached = attachedTo(role, templates, 'AWS::IAM::Policy').map(({ properties, resolve }) =>
        resolve(properties.PolicyDocument),
      );
      return [...own, ...attached].reduce((sum: number, policy) => sum + policyCharacters(policy), 0);
    }),
  },
  {
    counted: 'managed policy, characters without white space',
    allowed: 6144,
    usages: inEach('AWS::IAM::ManagedPolicy', ({ properties, resolve }) =>
      policyCharacters(resolve(properties.PolicyDocument)),
    ),
  },
  {
    counted: 'managed policies of a role',
    // Newer copies of the page give the default 20. Accounts may still have the older default.
    allowed: 10,
    kind: 'increasable',
    quota: { serviceCode: 'iam', quotaCode: 'L-0DA4ABF3', region },
    source: objectQuotas,
    usages: ofRoles(
      (role, templates) =>
        itemsOf(role.properties.ManagedPolicyArns).length +
        attachedTo(role, templates, 'AWS::IAM::ManagedPolicy').length,
    ),
  },
  {
    counted: 'trust policy of a role, characters without white space',
    allowed: 2048,
    kind: 'increasable',
    quota: { serviceCode: 'iam', quotaCode: 'L-C07B4B0D', region },
    source: objectQuotas,
    usages: inEach('AWS::IAM::Role', ({ properties, resolve }) =>
      policyCharacters(resolve(properties.AssumeRolePolicyDocument)),
    ),
  },
]);

export const iamLimits: readonly Limit[] = [
  ...roleLimits,
  ...limitsOf(service, objectQuotas, [
    {
      counted: 'roles in the account',
      allowed: 1000,
      kind: 'increasable',
      quota: { serviceCode: 'iam', quotaCode: 'L-FE177D64', region },
      usages: perAccount('AWS::IAM::Role', region),
    },
    {
      counted: 'customer managed policies in the account',
      allowed: 1500,
      kind: 'increasable',
      quota: { serviceCode: 'iam', quotaCode: 'L-E95E4862', region },
      usages: perAccount('AWS::IAM::ManagedPolicy', region),
    },
    {
      counted: 'name of a role, characters',
      allowed: 64,
      source: characterQuotas,
      ...characters('AWS::IAM::Role', 'RoleName'),
    },
    {
      counted: 'name of a managed policy, characters',
      allowed: 128,
      source: characterQuotas,
      ...characters('AWS::IAM::ManagedPolicy', 'ManagedPolicyName'),
    },
    {
      counted: 'name of an inline policy, characters',
      allowed: 128,
      source: `${reference}/API_PutRolePolicy.html`,
      usages: inEach('AWS::IAM::Role', ({ properties, resolve }) =>
        Math.max(
          0,
          ...itemsOf(properties.Policies).map(
            (policy) => String(resolve(objectOf(policy).PolicyName)).length,
          ),
        ),
      ),
    },
    {
      counted: 'description of a role, characters',
      allowed: 1000,
      source: `${reference}/API_CreateRole.html`,
      ...characters('AWS::IAM::Role', 'Description'),
    },
    {
      counted: 'description of a managed policy, characters',
      allowed: 1000,
      source: `${reference}/API_CreatePolicy.html`,
      ...characters('AWS::IAM::ManagedPolicy', 'Description'),
    },
  ]),
];
