import '../quiet-sdk.ts';
import { command, print, textTable } from './command.ts';
import { type AccountStats, measureAccount } from './measure-account.ts';
import { accountId } from './options.ts';
import { requireAccount } from './require-account.ts';
import { serviceNote, serviceOption, useTableOf } from './service-at.ts';

await command(
  {
    name: 'account:stats',
    summary: `Counts the data of an account: records by kind with their approximate size, files, events, and open work
items. Changes nothing.`,
    options: {
      account: { type: accountId, required: true, help: 'account to measure' },
      json: { type: 'flag', help: 'prints the counts as JSON, with sizes in bytes' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `The command reads the whole table once. The size of an item is its length as JSON, without its copies in indexes.
The row "derived" counts all items that an export does not contain, such as summaries, counters and sessions.`,
    ],
  },
  async ({ account, json, stage }) => {
    await useTableOf(stage);
    const { name } = await requireAccount(account);
    const stats = await measureAccount(account);
    print({ account, name, ...stats }, json ? undefined : describe(stats));
  },
);

function describe({ kinds, items, files, firstEventAt, lastEventAt, openWork }: AccountStats): string[] {
  const rows = Object.entries(kinds).map(([kind, { count, bytes }]) => [kind, String(count), sizeOf(bytes)]);
  const { webhooks, mail, texts, jobs } = openWork;
  return [
    ...textTable([['kind', 'count', 'size'], ...rows]),
    `All items: ${items.count}, ${sizeOf(items.bytes)}`,
    `Files: ${files.count}, ${sizeOf(files.bytes)}`,
    `Events: from ${firstEventAt ?? '-'} to ${lastEventAt ?? '-'}`,
    `Open work items: ${webhooks} webhook deliveries, ${mail} mails, ${texts} text messages, ${jobs} jobs`,
  ];
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
