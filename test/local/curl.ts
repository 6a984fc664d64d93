import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** As much of curl as our lines use, for a machine that has none. */
const standIn = `#!/usr/bin/env node
const [url] = process.argv.slice(2).filter((arg) => arg.startsWith('http'));
const after = (flag) => process.argv.flatMap((arg, at) => (process.argv[at - 1] === flag ? [arg] : []));
const headers = Object.fromEntries(after('-H').map((header) => header.split(': ')));
const [body] = after('-d');
fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, body })
  .then((answer) => answer.text())
  .then((text) => process.stdout.write(text));
`;

/** The environment for a shell that is to run a curl line: curl itself where there is one, else a stand-in after it. */
export function withCurl(): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), 'merchant-ops-curl-'));
  writeFileSync(join(folder, 'curl'), standIn, { mode: 0o755 });
  return { ...process.env, PATH: [process.env.PATH, folder].join(delimiter) };
}
