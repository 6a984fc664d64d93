import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** As much of curl as our lines use, for a machine that has none. */
const standIn = `#!/usr/bin/env node
const { readFileSync } = require('node:fs');
const [url] = process.argv.slice(2).filter((arg) => arg.startsWith('http'));
const after = (flag) => process.argv.flatMap((arg, at) => (process.argv[at - 1] === flag ? [arg] : []));
const lines = after('-H').flatMap((arg) => (arg === '@-' ? readFileSync(0, 'utf8').split('\\n') : [arg]));
const headers = Object.fromEntries(lines.filter(Boolean).map((line) => line.split(/: (.*)/s)));
const [file] = after('-T');
const body = file === undefined ? after('-d')[0] : readFileSync(file);
const method = after('-X')[0] ?? (file === undefined ? (body === undefined ? 'GET' : 'POST') : 'PUT');
fetch(url, { method, headers, body })
  .then((answer) => answer.text())
  .then((text) => process.stdout.write(text))
  // As curl -s fails: silently, by its exit code.
  .catch(() => process.exit(7));
`;

/** The environment for a shell that is to run a curl line: curl itself where there is one, else a stand-in after it. */
export function withCurl(): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-curl-'));
  writeFileSync(join(folder, 'curl'), standIn, { mode: 0o755 });
  return { ...process.env, PATH: [process.env.PATH, folder].join(delimiter) };
}
