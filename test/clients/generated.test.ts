import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { readCredentials } from '../../infra/administration/credentials.ts';
import { loadEndpoints } from '../../infra/build/endpoints.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startRunnerProcess } from '../service/runner-process.ts';

const { CLIENTS_FOLDER: folder = '', PYTHON_TOOLS: python = '' } = process.env;
const document = join(folder, 'openapi.json');
let operations: number;

/** Runs a program in the temporary folder and returns its output. Rejects if its exit code is not 0. */
async function run(program: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, PATH: `${python}:${process.env.PATH}` };
  const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, env });
  return stdout + stderr;
}

const installed = (name: string, ...args: string[]) =>
  run(join(folder, 'node_modules', '.bin', name), ...args);

/** Compiles the TypeScript files of a folder under `strict`, including declarations, and returns the errors. */
async function compile(source: string): Promise<string> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
  };
  const config = join(folder, `${source}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, include: [source] }));
  return installed('tsc', '-p', config);
}

beforeAll(async () => {
  if (!folder) throw new Error('CLIENTS_FOLDER is not set. Run npm run test:extra -- clients.');
  const endpoints = await loadEndpoints();
  operations = endpoints.length;
  const contracts = endpoints.map(({ name, endpoint }) => ({ name, contract: endpoint.contract }));
  writeFileSync(document, JSON.stringify(openApiDocument(contracts)));
});

test('Spectral reports nothing under its recommended rules', async () => {
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'] }));
  const report = await installed('spectral', 'lint', '--fail-severity', 'hint', '-r', rules, document);
  expect(report).toContain('No results with a severity of');
});

/** Uses the types as an integrator does, without a cast. */
const journey = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api';

const api = createClient<paths>({ baseUrl: 'https://api.example.com' });
const lead: components['schemas']['LeadInput'] = { firstName: 'Ada', lastName: 'Byron' };

export async function openTicket(): Promise<components['schemas']['TicketStatus'] | undefined> {
  const session = await api.POST('/auth/login', { body: { apiKey: 'key', apiSecret: 'secret' } });
  if (!session.data || !('token' in session.data)) throw new Error('The login needs a second factor.');
  const headers = { authorization: \`Bearer \${session.data.token}\` };
  const created = await api.POST('/leads', { body: lead, headers });
  if (created.error) {
    switch (created.error.error) {
      case 'team_required':
      case 'lead_source_required':
        return undefined;
      default:
        throw new Error(\`\${created.error.message} (\${created.error.requestId})\`);
    }
  }
  const path = { leadId: created.data.id };
  const converted = await api.POST('/leads/{leadId}/convert', { params: { path }, headers });
  const applicationId: string | undefined = converted.data?.application.id;
  if (applicationId === undefined) return undefined;
  const { data: tickets } = await api.GET('/tickets', { params: { query: { priority: ['urgent'] } }, headers });
  return tickets?.data[0]?.status;
}

const ticketIds = ['TKT-000001'];
export const resolve = (status: components['schemas']['TicketStatus']) =>
  api.POST('/tickets/bulk', { body: { ticketIds, action: 'change_status', payload: { status } } });
// @ts-expect-error A tag is not part of this action.
api.POST('/tickets/bulk', { body: { ticketIds, action: 'change_status', payload: { tag: 'Hardware' } } });
// @ts-expect-error The payload of this action must contain a tag.
api.POST('/tickets/bulk', { body: { ticketIds, action: 'add_tag', payload: {} } });

export function targetOf(step: components['schemas']['ReadinessStep']): string {
  switch (step.kind) {
    case 'field':
      return step.field;
    case 'document':
      return step.documentKey;
    case 'request':
      return step.field ?? step.documentKey ?? step.message;
  }
}
// @ts-expect-error Not every step has a document.
export const documentOf = (step: components['schemas']['ReadinessStep']) => step.documentKey;
`;

test('a program with the types of openapi-typescript compiles without a cast', async () => {
  mkdirSync(join(folder, 'typescript'));
  await installed('openapi-typescript', document, '-o', join(folder, 'typescript', 'api.d.ts'));
  writeFileSync(join(folder, 'typescript', 'journey.ts'), journey);
  expect(await compile('typescript')).toBe('');
});

test('the client that hey-api generates compiles', async () => {
  await installed('openapi-ts', '-i', document, '-o', join(folder, 'hey-api'), '--no-log-file');
  expect(readdirSync(join(folder, 'hey-api'))).toContain('sdk.gen.ts');
  expect(await compile('hey-api')).toBe('');
});

const pythonClient = join(folder, 'python-client');

test('openapi-python-client generates at most 3.5 models for each operation without a warning', async () => {
  const report = await run(
    'openapi-python-client',
    ...['generate', '--path', document, '--output-path', pythonClient],
  );
  expect(report.trim()).toBe(`Generating ${pythonClient}`);
  const models = readdirSync(join(pythonClient, 'merchant_operations_client', 'models'));
  expect(models).toContain('lead_input.py');
  expect(models.length / operations).toBeLessThanOrEqual(3.5);
});

test('the Python example signs in to the local service, creates leads, and reads them by cursor', async () => {
  const data = temporaryFolder();
  await startRunnerProcess({ DATA_DIR: data });
  const credentials = readCredentials(join(data, 'credentials.json'));
  const { baseUrl: BASE_URL, apiKey: API_KEY, apiSecret: API_SECRET } = credentials ?? {};
  const env = { ...process.env, PYTHONPATH: pythonClient, BASE_URL, API_KEY, API_SECRET };
  const example = join(import.meta.dirname, 'example.py');
  const { stdout } = await promisify(execFile)(join(python, 'python'), [example], { env });
  expect(stdout).toBe('Mary Grace\nAda\n');
});
