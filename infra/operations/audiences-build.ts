import '../quiet-sdk.ts';
import { buildSubscriberIndex } from './build-subscriber-index.ts';
import { command, print } from './command.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'audiences:build',
    summary: `Writes who wants to hear of what, account by account, from the rules of all users: for a table that was
filled before notifications knew audiences. It may run beside the service, and again.`,
    options: { json: { type: 'flag', help: 'prints how many as JSON' }, ...serviceOption },
    notes: [serviceNote, 'It reads the whole table once. At the end it says how many it looked at.'],
  },
  async ({ json, stage }) => {
    await useTableOf(stage);
    const built = await buildSubscriberIndex();
    const { users, administrators } = built;
    print(
      built,
      json ? undefined : `${users} users with rules of their own, ${administrators} administrators.\n`,
    );
  },
);
