import '../quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { asAccountId } from '../../shared/id/account-id.ts';
import { checkTickets } from './check-tickets.ts';

const usage = `Checks all that is stored of an account's tickets: folds every ledger anew, counts every view and every
total, and prints what does not agree. It changes nothing.

  npm run tickets:check -- --account acc_0123456789abcdef

  --account    the account's id
  --help       this text

The table is the one in TABLE_NAME, in the region and with the credentials of the AWS environment
(AWS_ENDPOINT_URL_DYNAMODB for a local engine).

It ends with 0 and says nothing where all agree, with 1 where something differs, and with 2 where it could not look.`;

/** The command: reads its arguments, looks at all tickets, prints each difference. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { account: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  if (!values.account) throw new Error(`--account is needed.\n\n${usage}`);
  const account = asAccountId(values.account);
  if (!account) throw new Error(`${values.account} is not the id of an account.`);
  const differences = await checkTickets(account);
  for (const sentence of differences) process.stdout.write(`${sentence}\n`);
  if (differences.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
});
