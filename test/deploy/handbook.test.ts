import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiClient } from '../../infra/operations/api-client.ts';
import { callAws, callLambda } from './aws.ts';
import { addSettings, commitAs, copyCheckout, leaveOutForEmulator, settings } from './checkout.ts';
import { addressOf, type Service, signIn } from './deployment.ts';
import { accountId, type Emulator, region, startEmulator } from './emulator.ts';
import { commandsOfHandbook } from './handbook.ts';
import { importedAs } from './imported-resources.ts';
import { shell } from './run-program.ts';

/** The operator's handbook, from top to bottom, in an emulator of AWS. Each section stands on those before it. */
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
  leaveOutForEmulator(checkout);
  commitAs(checkout, 'v1.2.3');
  environment = {
    ...emulator.environment,
    // Beside the emulator stands the AWS CLI, whose version 1 asks for the region by a name of its own.
    PATH: [dirname(process.env.MINISTACK ?? ''), process.env.PATH].join(delimiter),
    AWS_DEFAULT_REGION: region,
    // What CDK would ask for at a terminal.
    CDK_REQUIRE_APPROVAL: 'never',
    npm_config_update_notifier: 'false',
  };
});
afterAll(() => emulator?.stop());

/** What MiniStack 1.5.33 says of each command that is marked. */
const refusals: Record<string, string> = {
  // Of a change set with types that it cannot import: global tables and secrets.
  'npx cdk import data -c stage=prod': 'is in UNAVAILABLE status',
  // Since nothing was imported, the name of the bucket is taken.
  'npx cdk deploy --all -c stage=prod --import-existing-resources': 'Validation failed with 1 error(s).',
};

const inCheckout = (name: string) => join(checkout, name);
const instant = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

/** A command with what the handbook leaves to its reader. */
function filledIn(line: string): string {
  const { baseUrl, credentials } = service ?? {};
  const fillings: [RegExp, string | undefined][] = [
    [/123456789012\/eu-central-1/, `${accountId}/${region}`],
    [/eu-central-1:123456789012/, `${region}:${accountId}`],
    // Whoever runs this did it, and it takes a network.
    [/\bnpm ci\b/, 'true'],
    [/acc_…/, credentials?.accountId],
    [/mo_key_…/, credentials?.apiKey],
    [/mo_sk_…/, credentials?.apiSecret],
    [/https:\/\/….amazonaws.com/, `'${baseUrl}'`],
    // Else it waits as long as a function may run that has begun: a minute.
    [/(?<=account:erase .*--name .*)$/, ' --wait 1'],
    [/--restore-date-time \S+/, `--restore-date-time ${instant(0)}`],
    [/--from \S+ --to \S+/, `--from ${instant(-3_600_000)} --to ${instant(-1_000)}`],
  ];
  const filled = fillings.reduce((text, [what, by]) => (by ? text.replace(what, () => by) : text), line);
  expect(filled).not.toContain('…');
  return filled;
}

/** Runs the commands of a section; `after` has what its reader does after one, which is found by words of it. */
async function follow(section: string, after: Record<string, (said: string) => unknown> = {}): Promise<void> {
  followed.push(section);
  const commands = sections.get(section) ?? [];
  for (const words of Object.keys(after))
    expect(
      commands.filter(({ line }) => line.includes(words)),
      words,
    ).toHaveLength(1);
  for (const { line, needsAws } of commands) {
    const { code, stdout, stderr } = await shell(environment, checkout, filledIn(line));
    const said = `${line}\n${stdout.slice(-2000)}\n${stderr.slice(-4000)}`;
    if (needsAws) {
      // What the emulator has learnt to do is no longer marked, and what fails otherwise is a mistake.
      expect(code, said).not.toBe(0);
      expect(said).toContain(refusals[line] ?? 'a sentence in the table `refusals`');
    } else expect(code, said).toBe(0);
    for (const [words, next] of Object.entries(after)) if (line.includes(words)) await next(stdout);
  }
}

test('before the first deployment', () => follow('Before the first deployment'));

test('the first deployment, with an account in which a smoke run passes', () =>
  follow('The first deployment', {
    'npm run synth': () => {
      // What was synthesized is deployed: a synth takes as long as all of the rest.
      environment.CDK_APP = 'cdk.out';
    },
    'account:create': (said) => {
      const baseUrl = addressOf(emulator, 'prod', inCheckout('outputs.json'));
      service = { baseUrl, credentials: JSON.parse(said.slice(said.indexOf('{'))) };
    },
  }));

test('what alarms ask for', () => follow('What each alarm asks for'));

test('a new signing key ends no session, also where a function still keeps the keys of before', async () => {
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
    openssl: (said) => {
      const keyring = JSON.parse(readFileSync(inCheckout('keyring.json'), 'utf8'));
      const rotated = { ...keyring, kids: ['2', ...keyring.kids], 2: said.trim() };
      writeFileSync(inCheckout('keyring.json'), JSON.stringify(rotated));
    },
    'aws secretsmanager put-secret-value': async () => {
      await startAnew('merchant-ops-prod-auth-log-in');
      const after = await token();
      expect([before.kid, after.kid]).toEqual(['1', '2']);
      await after.client.send('GET', '/leads');
      await before.client.send('GET', '/leads');
    },
  });
});

/** What is given a configuration begins with a new instance, which reads the secret. */
async function startAnew(name: string): Promise<void> {
  const path = `functions/${name}/configuration`;
  const { Timeout } = await callLambda<{ Timeout: number }>(emulator, 'GET', path);
  await callLambda(emulator, 'PUT', path, { Timeout });
}

test('the log of events is verified', () => follow('Verify the log of events'));

test('an account is exported and erased', async () => {
  const kept = service;
  const create = 'npm run account:create -- --stage prod --name "Acme" --email second@example.com';
  const made = await shell(environment, checkout, create);
  service = { ...kept, credentials: JSON.parse(made.stdout.slice(made.stdout.indexOf('{'))) };
  await follow('Export and erase an account', {
    '--name "Acme"': (said) => expect(said).toContain('A last look found:\n  0 items\n'),
  });
  service = kept;
});

test('a restored table serves requests, and its events reach the audit log', async () => {
  await follow('Restore the table to a point in time', {
    'aws dynamodb update-table --table-name merchant-ops-prod-restored --stream': (said) => {
      addSettings(checkout, {
        restoredTable: { name: 'merchant-ops-prod-restored', streamArn: JSON.parse(said) },
      });
      commitAs(checkout, 'v1.2.4');
      delete environment.CDK_APP;
      environment.CDK_OUTPUT = 'restored.out';
    },
  });
  const { key } = await signIn(service);
  const { id } = await key.send<{ id: number }>('POST', '/leads', {
    body: { firstName: 'Ada', lastName: 'Byron' },
  });
  const auditLog = async () => (await key.send<{ auditLog: object[] }>('GET', `/leads/${id}`)).auditLog;
  await expect.poll(auditLog).toMatchObject([{ event: 'lead_created' }]);
});

test('a deployment of the version before rolls back', async () => {
  environment.CDK_APP = 'restored.out';
  delete environment.CDK_OUTPUT;
  await follow('Upgrade, and roll back', {
    'npx cdk diff': () => {
      environment.CDK_APP = 'cdk.out';
    },
  });
  const { Configuration } = await callLambda<{
    Configuration: { Environment: { Variables: Record<string, string> } };
  }>(emulator, 'GET', 'functions/merchant-ops-prod-leads-list-leads');
  expect(Configuration.Environment.Variables.TABLE_NAME).toBe('merchant-ops-prod');
});

test('destroyed, it leaves its data', async () => {
  await follow('Destroy, and come back', {
    'aws cloudformation list-stack-resources': (said) => {
      environment.CDK_RESOURCE_MAPPING = inCheckout('kept.json');
      const template = JSON.parse(readFileSync(inCheckout('cdk.out/data.template.json'), 'utf8'));
      writeFileSync(environment.CDK_RESOURCE_MAPPING, JSON.stringify(importedAs(template, said)));
    },
    'for stack in': () => {
      environment.CDK_FORCE = 'true';
    },
    'npx cdk destroy': async () => {
      const { TableNames } = await callAws<{ TableNames: string[] }>(
        emulator,
        'DynamoDB_20120810.ListTables',
        {},
      );
      expect(TableNames).toContain('merchant-ops-prod');
    },
  });
});

test('every command of the handbook was run, and those are marked that the emulator refuses', () => {
  expect(followed).toEqual([...sections.keys()]);
  const marked = [...sections.values()].flat().filter(({ needsAws }) => needsAws);
  expect(marked.map(({ line }) => line)).toEqual(Object.keys(refusals));
});
