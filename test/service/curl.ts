import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** A program that replaces curl on machines without curl. Supports the options that the documented commands use. */
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
  .then((response) => response.text())
  .then((text) => process.stdout.write(text))
  // After an error, prints nothing and exits with a code, like curl -s.
  .catch(() => process.exit(7));
`;

/**
 * The environment of a shell. The stand-in is last in its PATH, so it is used only if curl is not installed.
 */
export function withCurl(): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-curl-'));
  writeFileSync(join(folder, 'curl'), standIn, { mode: 0o755 });
  return { ...process.env, PATH: [process.env.PATH, folder].join(delimiter) };
}
