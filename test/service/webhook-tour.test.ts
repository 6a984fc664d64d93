import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../infra/administration/free-port.ts';
import { root } from '../../infra/build/endpoints.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { examplesUnder, runExamples, tour } from './examples.ts';
import { startRunnerProcess } from './runner-process.ts';

test('the tour of events and webhooks prints the documented output, and the receiver verifies each delivery', async () => {
  const folder = temporaryFolder();
  await startRunnerProcess({ DATA_DIR: join(folder, '.local') });
  const port = String(await freePort());
  const helpers = examplesUnder('README.md', 'A first request').slice(0, 1);
  const examples = examplesUnder(tour, 'Events and webhooks').map((example) => ({
    ...example,
    lines: example.lines.replaceAll('4000', port),
  }));
  const readMessageId = { lines: 'api "/webhooks/$hook/deliveries/$delivery" | get messageId' };
  const output = await runExamples([...helpers, ...examples, readMessageId], folder, {
    NODE_PATH: join(root, 'node_modules'),
  });
  const redelivered = output.trim().split('\n').at(-1);
  expect(
    readFileSync(join(folder, '.local', 'received.txt'), 'utf8')
      .trim()
      .split('\n'),
  ).toEqual([expect.stringMatching(/^evt_acc_\w+_\d+ lead_created$/), `${redelivered} lead_created`]);
});
