import '../quiet-sdk.ts';
import { buildAudiences } from './build-audiences.ts';
import { command, theTable } from './command.ts';

await command(
  {
    name: 'audiences:build',
    does: `Writes who wants to hear of what, account by account, from the rules of all users: for a table that was
filled before notifications knew audiences. It may run beside the service, and again.`,
    options: {},
    notes: [theTable, 'It reads the whole table once. At the end it says how many it looked at.'],
  },
  async () => {
    const { users, administrators } = await buildAudiences();
    process.stdout.write(`${users} users with rules of their own, ${administrators} administrators.\n`);
  },
);
