import '../quiet-sdk.ts';
import { command, print } from './command.ts';
import { accountId } from './options.ts';
import { rotateDataKey } from './rotate-data-key.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'data-key:rotate',
    summary: `Adds a data key to an account, and prints which is used from now on as JSON. New sensitive values are sealed
with it, old ones still open.`,
    options: {
      account: { type: accountId, required: true, help: 'which account' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      'The key in KMS is that of the stage, as alias/merchant-ops-dev-data-keys; on this machine DATA_DIR/data-key.json.',
    ],
  },
  async ({ account, stage }) => {
    await useTableOf(stage);
    const kid = await rotateDataKey(account);
    print({ accountId: account, kid });
  },
);
