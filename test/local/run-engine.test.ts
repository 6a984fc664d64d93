import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runEngine } from '../../infra/local/run-engine.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

/** An engine that fails with these errors at its first starts. It writes its ports to a file. */
function engineWith(errors: readonly string[]) {
  const log = join(temporaryFolder(), 'ports');
  const program = `
    const fs = require('node:fs');
    const [log, port, ...errors] = process.argv.slice(1);
    const attempt = fs.existsSync(log) ? fs.readFileSync(log, 'utf8').trim().split('\\n').length : 0;
    fs.appendFileSync(log, port + '\\n');
    if (errors[attempt]) { console.error(errors[attempt]); process.exit(1); }
    require('node:http').createServer((_, response) => response.end()).listen(port, '127.0.0.1');`;
  const args = (port: number) => ['-e', program, log, String(port), ...errors];
  const ports = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  return { engine: { program: process.execPath, args }, ports };
}

const inUse = 'error: Address already in use (os error 98)';

test('an engine whose port is taken by another process starts on another port', async () => {
  const { engine, ports } = engineWith([inUse]);
  const { endpoint, stop } = await runEngine(engine);
  onTestFinished(stop);
  const [first, second] = ports();
  expect(new URL(endpoint).port).toBe(second);
  expect(second).not.toBe(first);
  expect((await fetch(endpoint)).status).toBe(200);
});

test('an engine that fails for another reason is not started again', async () => {
  const { engine, ports } = engineWith(['error: The disk is full. Free some space.']);
  await expect(runEngine(engine)).rejects.toThrow('The DynamoDB engine did not start: The disk is full.');
  expect(ports()).toHaveLength(1);
});
