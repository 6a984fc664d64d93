import '../quiet-sdk.ts';
import { command, print } from './command.ts';
import { accountId } from './options.ts';
import { rotateDataKey } from './rotate-data-key.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'data-key:rotate',
    summary: `Adds a data key to an account and prints the key's id as JSON. New sensitive values are encrypted with
this key. Existing values can still be decrypted.`,
    options: {
      account: { type: accountId, required: true, help: 'account that gets the key' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `Data keys are encrypted with the KMS key of the stage, such as alias/merchant-ops-dev-data-keys, or on this
machine with DATA_DIR/data-key.json.`,
    ],
  },
  async ({ account, stage }) => {
    await useTableOf(stage);
    print({ accountId: account, kid: await rotateDataKey(account) });
  },
);
