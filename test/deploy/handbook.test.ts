import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { apiClient } from '../../infra/operations/api-client.ts';
import { callForm, callLambda, tableNames } from './aws.ts';
import { addSettings, commitAll, copyCheckout, editStages, leaveOutBudget, settings } from './checkout.ts';
import { addressOf, type Service, signIn } from './deployment.ts';
import { accountId, type Emulator, region, startEmulator } from './emulator.ts';
import { createLead, expectAuditLog } from './follow-event.ts';
import { shell } from './run-program.ts';

interface Command {
  line: string;
  /** True if the emulator does not support the command. */
  needsAws: boolean;
}

const mark = / +# needs AWS$/;

/** Not run here: see `engines.test.ts`, `stage.test.ts` and `test/templates/sam.test.ts`. */
const otherTests = 'Emulators of AWS, and SAM';

/** The commands of the handbook by section, in order. */
function commandsOfHandbook(): Map<string, Command[]> {
  const handbook = readFileSync(join(root, 'infra', 'handbook.md'), 'utf8');
  const sections = handbook
    .split(/^## /m)
    .slice(1)
    .filter((section) => !section.startsWith(otherTests));
  const commands = sections.map((section): [string, Command[]] => [
    section.split('\n')[0] ?? '',
    blocksOf(section)
      .flatMap((block) => block.trim().split('\n'))
      .map((line) => ({ line: line.replace(mark, ''), needsAws: mark.test(line) })),
  ]);
  return new Map(commands.filter(([, found]) => found.length > 0));
}

/** Returns the sh blocks of a section. Throws if a code fence is unclosed or indented. */
function blocksOf(section: string): string[] {
  const blocks = [...section.matchAll(/^```sh\n([\s\S]+?)^```$/gm)].map(([, block = '']) => block);
  const fences = section.match(/^\s*```+ *sh\b/gm) ?? [];
  if (blocks.length !== fences.length)
    throw new Error(
      `The section has ${fences.length} sh fences, but ${blocks.length} complete blocks: ${section}`,
    );
  return blocks;
}

/** Runs the operators' handbook in an AWS emulator. Each section requires the previous sections. */
const sections = commandsOfHandbook();
const followed: string[] = [];
let emulator: Emulator;
let checkout: string;
let environment: Record<string, string>;
let service: Service;

beforeAll(async () => {
  emulator = await startEmulator();
  checkout = copyCheckout();
  addSettings(checkout, settings);
  leaveOutBudget(checkout);
  commitAll(checkout, 'The first version');
  environment = {
    ...emulator.environment,
    // The AWS CLI is in the emulator's folder. Version 1 of the CLI reads the region from AWS_DEFAULT_REGION.
    PATH: [dirname(process.env.MINISTACK ?? ''), process.env.PATH].join(delimiter),
    AWS_DEFAULT_REGION: region,
    // Otherwise CDK would prompt for approval.
    CDK_REQUIRE_APPROVAL: 'never',
    npm_config_update_notifier: 'false',
  };
});
afterAll(() => emulator?.stop());

/** The commands that the handbook marks with `# needs AWS`, and the error of each in MiniStack 1.5.33. */
const refusals: Record<string, string> = {
  // The stage has no receipt rule set, because MiniStack's CloudFormation does not support it.
  'aws ses set-active-receipt-rule-set --rule-set-name merchant-ops-prod-mail': 'RuleSetDoesNotExist',
  // MiniStack cannot import global tables and secrets.
  'npx cdk import data -c stage=prod': 'is in UNAVAILABLE status',
  // The previous import failed, so this command tries to create a bucket whose name is in use.
  'npx cdk deploy --all -c stage=prod --import-existing-resources': 'Validation failed with 1 error(s).',
};

const inCheckout = (name: string) => join(checkout, name);
const instant = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** Replaces the placeholders in a command. */
function filledIn(line: string): string {
  const { baseUrl, credentials } = service ?? {};
  const fillings: [RegExp, string | undefined][] = [
    [/123456789012\/(?:eu-central-1|us-east-1)/, `${accountId}/${region}`],
    [/eu-central-1:123456789012/, `${region}:${accountId}`],
    // The packages are already installed, and `npm ci` requires a network.
    [/\bnpm ci\b/, 'true'],
    [/acc_…/, credentials?.accountId],
    [/mo_key_…/, credentials?.apiKey],
    [/mo_sk_…/, credentials?.apiSecret],
    [/https:\/\/….amazonaws.com/, `'${baseUrl}'`],
    // The URL in the outputs of the stack has a domain of AWS, which the emulator does not serve.
    [/(?<=npm run ops -- smoke-tests run )/, `--base-url '${baseUrl}' `],
    // Waits one second instead of the default, which is a minute.
    [/(?<=accounts erase .*--name .*)$/, ' --wait 1'],
    [/--restore-date-time \S+/, `--restore-date-time ${instant(0)}`],
    // The emulator restores the present state. A comparison ignores the events of the last 30 seconds before `--at`.
    [/--at \S+/, `--at ${instant(-30_000)}`],
    [/--from \S+ --to \S+/, `--from ${instant(-3_600_000)} --to ${instant(-1_000)}`],
  ];
  const filled = fillings.reduce((text, [what, by]) => (by ? text.replace(what, () => by) : text), line);
  expect(filled).not.toContain('…');
  return filled;
}

/**
 * Runs the commands of a section. `after` maps a part of a command to a function that receives the command's output.
 */
async function follow(
  section: string,
  after: Record<string, (output: string) => unknown> = {},
): Promise<void> {
  followed.push(section);
  const commands = sections.get(section) ?? [];
  for (const words of Object.keys(after))
    expect(
      commands.filter(({ line }) => line.includes(words)),
      words,
    ).toHaveLength(1);
  for (const { line, needsAws } of commands) {
    const { code, stdout, stderr } = await shell(environment, checkout, filledIn(line));
    const output = `${line}\n${stdout.slice(-2000)}\n${stderr.slice(-4000)}`;
    if (needsAws) {
      // If a newer emulator supports the command, remove the mark in the handbook.
      expect(code, output).not.toBe(0);
      expect(output).toContain(refusals[line] ?? 'an entry in `refusals`');
    } else expect(code, output).toBe(0);
    for (const [words, next] of Object.entries(after)) if (line.includes(words)) await next(stdout);
  }
}

test('the commands before the first deployment succeed', () => follow('Before the first deployment'));

test('a first deployment that fails half-way succeeds when it is repeated, and the smoke test passes in a new account', async () => {
  const [first] = (sections.get('The first deployment') ?? []).filter(({ line }) =>
    line.includes('"deletionProtection": false'),
  );
  // This deployment synthesizes its own templates. The emulator rejects its alarms on metric math.
  environment.CDK_OUTPUT = 'first.out';
  const failing = String(first?.line).replace('false}', 'false, "errorPercent": 1}');
  const { code, stderr } = await shell(environment, checkout, failing);
  expect([code, stderr.slice(-4000)]).toEqual([1, expect.stringContaining('merchant-ops-prod-watch')]);
  delete environment.CDK_OUTPUT;
  await follow('The first deployment', {
    'npm run synth': () => {
      environment.CDK_OUTPUT = 'first.out';
    },
    '"deletionProtection": false': async () => {
      expect(await protectedStacks()).toEqual([]);
      delete environment.CDK_OUTPUT;
      // The other deployments reuse the synthesized templates, because a second synthesis would be slow.
      environment.CDK_APP = 'cdk.out';
    },
    'accounts create': (output) => {
      const baseUrl = addressOf(emulator, 'prod', inCheckout('outputs.json'));
      service = { baseUrl, credentials: JSON.parse(output.slice(output.indexOf('{'))) };
    },
  });
  expect(await protectedStacks()).toHaveLength(9);
});

/** The stacks with termination protection. The emulator ignores the deletion protection of a global table. */
async function protectedStacks(): Promise<string[]> {
  const xml = await callForm(emulator, 'cloudformation', 'DescribeStacks', {});
  const stacks = xml.split('<StackName>').filter((text) => text.startsWith('merchant-ops-prod-'));
  return stacks.filter((text) => text.includes('<EnableTerminationProtection>true<'));
}

test('the commands for alarms succeed', () => follow('What each alarm asks for'));

test('accounts and their sizes are listed, and a user is unlocked and gets a mail to reset the password', () =>
  follow('Look at accounts, and help a user to log in', {
    'accounts list': (output) => expect(output).toContain(`${service.credentials.accountId}  Acme  `),
    'accounts stats': (output) => expect(output).toContain('\nOpen work items: '),
    'webhooks status': (output) => expect(output).toContain('has no webhooks.'),
    'users unlock': (output) => expect(output).toContain('admin@example.com had not reached a limit.'),
    'users reset': (output) =>
      expect(output).toContain('A mail with a reset token is being sent to admin@example.com.'),
  }));

test('the owners of older records are counted', () => follow('Set the owners of older records'));

test('the enforcement of single sign-on is ended', () =>
  follow('Single sign-on of accounts', {
    'accounts allow-passwords': (output) => expect(output).toContain('enforces single sign-on.'),
  }));

test('the commands for mail with customers succeed, and the consumer of incoming mail is paused and resumed', async () => {
  await follow('Mail with customers');
  await follow('The reputation of the sender', {
    'get-account': (output) => expect(output).toContain('HEALTHY'),
  });
  await follow('Stop a mail storm');
});

test('sessions are valid after a rotation of the signing key, even if functions still cache the old keys', async () => {
  const { baseUrl, credentials } = service;
  const api = apiClient(baseUrl);
  const token = async () => {
    const { apiKey, apiSecret, accountId: account } = credentials;
    const signedIn = await api.send<{ token: string }>('POST', '/auth/login', {
      body: { apiKey, apiSecret },
    });
    const client = api.with({ authorization: `Bearer ${signedIn.token}`, 'x-account-id': account });
    return { kid: decodeProtectedHeader(signedIn.token).kid, client };
  };
  const before = await token();
  await before.client.send('GET', '/leads');
  await follow('Rotate the signing secret and data keys', {
    openssl: (output) => {
      const keyring = JSON.parse(readFileSync(inCheckout('keyring.json'), 'utf8'));
      const rotated = { ...keyring, kids: ['2', ...keyring.kids], 2: output.trim() };
      writeFileSync(inCheckout('keyring.json'), JSON.stringify(rotated));
    },
    'aws secretsmanager put-secret-value': async () => {
      await restart('merchant-ops-prod-auth-log-in');
      const after = await token();
      expect([before.kid, after.kid]).toEqual(['1', '2']);
      await after.client.send('GET', '/leads');
      await before.client.send('GET', '/leads');
    },
  });
});

/** Writes a function's configuration unchanged. This starts a new instance, which reads the secret again. */
async function restart(name: string): Promise<void> {
  const path = `functions/${name}/configuration`;
  const { Timeout } = await callLambda<{ Timeout: number }>(emulator, 'GET', path);
  await callLambda(emulator, 'PUT', path, { Timeout });
}

test('a token is added to the secret of the origin, and requests still reach every API', async () => {
  await follow('CloudFront and AWS WAF', {
    openssl: (output) => {
      const tokens = JSON.parse(readFileSync(inCheckout('origin.json'), 'utf8'));
      writeFileSync(inCheckout('origin.json'), JSON.stringify({ ...tokens, 2: output.trim() }));
    },
  });
  const { key } = await signIn(service);
  for (const path of ['/leads', '/tickets', '/invoices', '/teams']) await key.send('GET', path);
});

test('the commands to verify the event log succeed', () => follow('Verify the log of events'));

test('the records of a file are imported', async () => {
  const rows = 'First Name,Last Name,Email\nAda,Byron,ada@example.com\n';
  writeFileSync(inCheckout('leads.csv'), rows);
  await follow('Import records', {
    '--dry-run': (output) => expect(output).toContain('1 rows, 1 valid, 0 rejected.'),
    '--base-url': (output) => expect(output).toContain('1 rows: 1 created, '),
  });
  for (const name of ['leads.csv', 'leads.csv.import-state.jsonl', 'map.json']) rmSync(inCheckout(name));
});

test('an account is exported and erased', async () => {
  const kept = service;
  const create = 'npm run ops -- accounts create --stage prod --name "Acme" --email second@example.com';
  const made = await shell(environment, checkout, create);
  service = { ...kept, credentials: JSON.parse(made.stdout.slice(made.stdout.indexOf('{'))) };
  await follow('Export and erase an account', {
    '--verify': (output) => expect(output).toMatch(/is complete\.\n\d+ records and 0 files:\n/),
    '--name "Acme"': (output) => expect(output).toContain('The final check found:\n  0 items\n'),
  });
  service = kept;
});

test('a restored table serves requests, and its events reach the audit log', async () => {
  await follow('Restore the table to a point in time', {
    'aws dynamodb update-table --table-name merchant-ops-prod-restored --stream': (output) => {
      addSettings(checkout, {
        restoredTable: { name: 'merchant-ops-prod-restored', streamArn: JSON.parse(output) },
      });
      // The new version has another rate limit, so that a later test can verify its rollback.
      const before = '        applicantRequests: 60_000,\n      },\n    },\n    requestsPerMinute: ';
      editStages(checkout, `${before}600`, `${before}700`);
      commitAll(checkout, 'The second version');
      delete environment.CDK_APP;
      environment.CDK_OUTPUT = 'restored.out';
    },
  });
  const { key } = await signIn(service);
  await expectAuditLog(key, await createLead(key));
  expect(await deployedSettings()).toEqual({ TABLE_NAME: 'merchant-ops-prod-restored', limit: '700' });
});

/** The table and the rate limit of a deployed function. */
async function deployedSettings(): Promise<{ TABLE_NAME?: string; limit?: string }> {
  const { Configuration } = await callLambda<{
    Configuration: { Environment: { Variables: Record<string, string> } };
  }>(emulator, 'GET', 'functions/merchant-ops-prod-leads-list-leads');
  const { TABLE_NAME, REQUESTS_PER_MINUTE: limit } = Configuration.Environment.Variables;
  return { TABLE_NAME, limit };
}

test('a deployment of the previous version rolls the stage back, and keeps the settings of stages.local.json', async () => {
  environment.CDK_APP = 'restored.out';
  delete environment.CDK_OUTPUT;
  await follow('Upgrade, and roll back', {
    'npx cdk diff': () => {
      delete environment.CDK_APP;
      environment.CDK_OUTPUT = 'previous.out';
    },
  });
  environment.CDK_APP = 'previous.out';
  delete environment.CDK_OUTPUT;
  expect(await deployedSettings()).toEqual({ TABLE_NAME: 'merchant-ops-prod-restored', limit: '600' });
});

test('if the stage `prod` is destroyed, its data is not deleted', async () => {
  await follow('Destroy, and deploy again', {
    'aws cloudformation list-stack-resources': (output) => {
      environment.CDK_RESOURCE_MAPPING = inCheckout('kept.json');
      const template = JSON.parse(readFileSync(inCheckout('previous.out/data.template.json'), 'utf8'));
      writeFileSync(environment.CDK_RESOURCE_MAPPING, JSON.stringify(resourceMapping(template, output)));
    },
    'for stack in': () => {
      environment.CDK_FORCE = 'true';
    },
    'npx cdk destroy': async () => expect(await tableNames(emulator)).toContain('merchant-ops-prod'),
  });
});

test('every section of the handbook was run, and exactly the unsupported commands are marked with `# needs AWS`', () => {
  expect(followed).toEqual([...sections.keys()]);
  const marked = [...sections.values()].flat().filter(({ needsAws }) => needsAws);
  expect(marked.map(({ line }) => line)).toEqual(Object.keys(refusals));
});

/** The property that identifies an imported resource, by type. */
const identifiers: Record<string, string> = {
  'AWS::DynamoDB::GlobalTable': 'TableName',
  'AWS::KMS::Key': 'KeyId',
  'AWS::S3::Bucket': 'BucketName',
  'AWS::SecretsManager::Secret': 'Id',
};

/**
 * Returns the `--resource-mapping` of `cdk import` for the resources that remain after their stack is destroyed.
 * `resources` contains a line `<logical id> <physical id>` for each resource of the stack.
 */
function resourceMapping(
  template: { Resources: Record<string, { Type: string; DeletionPolicy?: string }> },
  resources: string,
): Record<string, Record<string, string>> {
  const ids = new Map(resources.split('\n').map((line) => line.split(/\s+/, 2) as [string, string]));
  const kept = Object.entries(template.Resources).filter(
    ([, { DeletionPolicy }]) => DeletionPolicy === 'RetainExceptOnCreate',
  );
  return Object.fromEntries(
    kept.map(([logicalId, { Type }]) => {
      const [identifier, id] = [identifiers[Type], ids.get(logicalId)];
      if (!identifier || !id) throw new Error(`No identifier for ${logicalId} (${Type}).`);
      return [logicalId, { [identifier]: id }];
    }),
  );
}
