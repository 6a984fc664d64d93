import { callForm } from './aws.ts';
import { accountId, type Emulator, region } from './emulator.ts';

interface PolicyStatement {
  Sid: string;
  Effect: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: object;
}

interface Role {
  name: string;
  statements: PolicyStatement[];
}

/** The name of the inline policy of each role. */
const policy = 'rights';

/** The roles of all functions with their policies. */
async function functionRoles(emulator: Emulator): Promise<Role[]> {
  const xml = await callForm(emulator, 'iam', 'ListRoles', { MaxItems: '1000' });
  const names = [...xml.matchAll(/<RoleName>(merchant-ops-local-[^<]+)</g)].map(([, name = '']) => name);
  const roles = await Promise.all(
    names.map(async (name) => ({ name, statements: await statementsOf(emulator, name) })),
  );
  return roles.filter(({ statements }) => statements.some(({ Sid }) => Sid === 'Log'));
}

/** The role with this logical id in a stack. */
export async function roleOf(
  emulator: Emulator,
  StackName: string,
  LogicalResourceId: string,
): Promise<Role> {
  const asked = { StackName, LogicalResourceId };
  const xml = await callForm(emulator, 'cloudformation', 'DescribeStackResource', asked);
  const [, name] = /<PhysicalResourceId>([^<]+)</.exec(xml) ?? [];
  if (name === undefined) throw new Error(`${StackName} has no ${LogicalResourceId}.`);
  return { name, statements: await statementsOf(emulator, name) };
}

async function statementsOf(emulator: Emulator, RoleName: string): Promise<PolicyStatement[]> {
  const xml = await callForm(emulator, 'iam', 'GetRolePolicy', { RoleName, PolicyName: policy }).catch(
    () => '',
  );
  const [, document] = /<PolicyDocument>([^<]+)</.exec(xml) ?? [];
  return document === undefined ? [] : JSON.parse(decodeURIComponent(document)).Statement;
}

/** Replaces the policy of a role. */
export async function setRights(emulator: Emulator, { name, statements }: Role): Promise<void> {
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: statements });
  await callForm(emulator, 'iam', 'PutRolePolicy', { RoleName: name, PolicyName: policy, PolicyDocument });
}

/** The aliases of KMS keys, by the id of the policy statement that allows their use. Ids of merged statements begin with it. */
const aliases: Record<string, string> = {
  MakeDataKeys: 'data-keys',
  UnwrapDataKeys: 'data-keys',
  SignSeals: 'seals',
};

/**
 * Adapts the policies to MiniStack 1.5.33, which differs from AWS:
 * - For a secret, `Ref` returns the name instead of the ARN.
 * - Sending a batch of messages requires the action `sqs:SendMessageBatch`.
 * - A KMS alias is a separate resource, and conditions on KMS requests are always false.
 * - Permission to send mail requires the resource `*`.
 */
export async function adaptPolicies(emulator: Emulator): Promise<void> {
  for (const { name, statements } of await functionRoles(emulator))
    await setRights(emulator, { name, statements: statements.map(adapted) });
}

function adapted(statement: PolicyStatement): PolicyStatement {
  const actions = [statement.Action].flat();
  if (actions.includes('secretsmanager:GetSecretValue')) {
    const secret = String(statement.Resource);
    return {
      ...statement,
      Resource: `arn:aws:secretsmanager:${region}:${accountId}:secret:${secret}-??????`,
    };
  }
  if (actions.includes('sqs:SendMessage'))
    return { ...statement, Action: [...actions, 'sqs:SendMessageBatch'] };
  const alias = Object.entries(aliases).find(([sid]) => statement.Sid.startsWith(sid))?.[1];
  if (alias) {
    const called = `arn:aws:kms:${region}:${accountId}:alias/merchant-ops-local-${alias}`;
    return { ...statement, Resource: [statement.Resource, called].flat(), Condition: undefined };
  }
  if (statement.Sid === 'SendMail') return { ...statement, Resource: '*' };
  return statement;
}
