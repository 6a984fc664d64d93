import { command, group } from '../command.ts';
import { account, requiredOption } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const rotate = command({
  brief: 'Adds a data key to an account, which encrypts new sensitive values',
  notes: [
    "Prints the key's id as JSON. Existing values can still be decrypted.",
    serviceNote,
    `Data keys are encrypted with the KMS key of the stage, such as alias/merchant-ops-dev-data-keys, or on this
machine with DATA_DIR/data-key.json.`,
  ],
  flags: { account: requiredOption(account, 'account that gets the key'), ...serviceOption },
  loader: () => import('../data-keys-rotate.ts'),
});

export const dataKeyCommands = group('Rotate the data keys of an account', { rotate });
