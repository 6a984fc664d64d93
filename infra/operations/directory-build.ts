import '../quiet-sdk.ts';
import { buildDirectory } from './build-directory.ts';
import { command, print } from './command.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'directory:build',
    summary: `Writes the directory of accounts, from which events:replay knows them: for a table whose accounts were made
before there was one. It may run beside the service, and again.`,
    options: { json: { type: 'flag', help: 'prints how many as JSON' }, ...serviceOption },
    notes: [serviceNote, 'It reads the whole table once. At the end it says how many accounts there are.'],
  },
  async ({ json, stage }) => {
    await useTableOf(stage);
    const accounts = await buildDirectory();
    print({ accounts }, json ? undefined : `${accounts} accounts.\n`);
  },
);
