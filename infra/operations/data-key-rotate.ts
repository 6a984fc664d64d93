import '../quiet-sdk.ts';
import { command, theTable } from './command.ts';
import { accountId } from './options.ts';
import { rotateDataKey } from './rotate-data-key.ts';

await command(
  {
    name: 'data-key:rotate',
    does: `Adds a data key to an account, and prints which is used from now on as JSON. New sensitive values are sealed
with it, old ones still open.`,
    options: { account: { type: accountId, required: true, means: 'which account' } },
    notes: [
      theTable,
      `STAGE is the stage of the table, and DATA_KEY_ID the key in KMS, such as alias/merchant-ops-dev-data-keys
(KEY_FILE for a local engine).`,
    ],
  },
  async ({ account }) => {
    const kid = await rotateDataKey(account);
    process.stdout.write(`${JSON.stringify({ accountId: account, kid }, null, 2)}\n`);
  },
);
