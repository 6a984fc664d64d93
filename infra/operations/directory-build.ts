import '../quiet-sdk.ts';
import { buildDirectory } from './build-directory.ts';
import { command, theTable } from './command.ts';

await command(
  {
    name: 'directory:build',
    does: `Writes the directory of accounts, from which events:replay knows them: for a table whose accounts were made
before there was one. It may run beside the service, and again.`,
    options: {},
    notes: [theTable, 'It reads the whole table once. At the end it says how many accounts there are.'],
  },
  async () => {
    process.stdout.write(`${await buildDirectory()} accounts.\n`);
  },
);
