import '../quiet-sdk.ts';
import { buildAudiences } from './build-audiences.ts';
import { command } from './command.ts';
import { serviceOption, theService, useTableOf } from './service-at.ts';

await command(
  {
    name: 'audiences:build',
    does: `Writes who wants to hear of what, account by account, from the rules of all users: for a table that was
filled before notifications knew audiences. It may run beside the service, and again.`,
    options: { json: { type: 'flag', means: 'prints how many as JSON' }, ...serviceOption },
    notes: [theService, 'It reads the whole table once. At the end it says how many it looked at.'],
  },
  async ({ json, stage }) => {
    await useTableOf(stage);
    const built = await buildAudiences();
    process.stdout.write(
      json
        ? `${JSON.stringify(built, null, 2)}\n`
        : `${built.users} users with rules of their own, ${built.administrators} administrators.\n`,
    );
  },
);
