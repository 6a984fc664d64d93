import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readCredentials } from '../../infra/administration/credentials.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { startRunnerProcess } from '../service/runner-process.ts';

const python = join(process.env.PYTHON_TOOLS ?? '', 'python');

interface Result {
  status: string;
  title: string;
  type: string | null;
  reason: string;
}

/**
 * The exceptions. RFC 7644, 3.12, allows 501 for a search of all types by POST. Every user has an administrative status (RFC
 * 7643, 4.1.1), so the removal of `active` leaves it as it is.
 */
const isException = ({ status, title, reason }: Result): boolean =>
  (status === 'SKIPPED' && title === 'search_with_attributes') ||
  (title === 'check_remove_attribute' && reason.includes("'active'"));

test('scim2-tester finds no fault', async () => {
  const data = temporaryFolder();
  await startRunnerProcess({ DATA_DIR: data });
  const { baseUrl = '', adminEmail, adminPassword } = readCredentials(join(data, 'credentials.json')) ?? {};
  const send = async (path: string, body: object, token = '') => {
    const headers = {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return (await response.json()) as Record<string, string>;
  };
  const { token } = await send('/auth/login', { email: adminEmail, password: adminPassword });
  const key = { description: 'scim2-tester', flatPermissionsList: ['provisionUsers'] };
  const { provisioningToken = '' } = await send('/apikeys', key, token);
  const program = join(import.meta.dirname, 'run_tester.py');
  const { stdout } = await promisify(execFile)(python, [program, `${baseUrl}/scim/v2`, provisioningToken], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const results = JSON.parse(stdout) as Result[];
  expect(results.length).toBeGreaterThan(60);
  const others = results.filter(({ status }) => status !== 'SUCCESS' && status !== 'COMPLIANT');
  expect(others.filter((result) => !isException(result))).toEqual([]);
});
