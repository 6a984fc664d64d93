import '../quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { asAccountId } from '../../shared/id/account-id.ts';
import { rotateDataKey } from './rotate-data-key.ts';

const usage = `Adds a data key to an account. New sensitive values are sealed with it, old ones still open.

  npm run data-key:rotate -- --account acc_0123456789abcdef

  --account    the account's id

The table is the one in TABLE_NAME, in the region and with the credentials of the AWS environment
(AWS_ENDPOINT_URL_DYNAMODB for a local engine). STAGE is the stage of the table, and DATA_KEY_ID the key
in KMS, such as alias/merchant-ops-dev-data-keys (KEY_FILE for a local engine).`;

/** The command: reads its arguments, adds the key, prints what is used from now on as JSON. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { account: { type: 'string' } } });
  if (!values.account) throw new Error(`--account is needed.\n\n${usage}`);
  const accountId = asAccountId(values.account);
  if (!accountId) throw new Error(`${values.account} is not the id of an account.`);
  const kid = await rotateDataKey(accountId);
  process.stdout.write(`${JSON.stringify({ accountId, kid }, null, 2)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
