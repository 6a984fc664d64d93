import '../quiet-sdk.ts';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AccountId } from '../../shared/id/account-id.ts';
import { command, print } from './command.ts';
import { sorted } from './describe-erasure.ts';
import { exportAccount } from './export-account.ts';
import type { ExportedRecord } from './exported-kinds.ts';
import { fetchFile } from './fetch-file.ts';
import { filesBucket } from './files-bucket.ts';
import { accountId, InvalidOption, text } from './options.ts';
import { readExport } from './read-export.ts';
import { cloudService, localService, serviceNote, serviceOption } from './service-at.ts';

await command(
  {
    name: 'account:export',
    summary: `Writes everything of an account as JSON lines: a header, a line for each record, and an end with counts and a digest.
It changes nothing, but for the events of --reveal.`,
    options: {
      account: { type: accountId, help: 'which account' },
      out: { type: text, help: 'a new file for it, for its owner only; left out: stdout' },
      files: { type: text, help: 'a folder for the files of documents; left out: they stay where they are' },
      reveal: { type: 'flag', help: "shows sensitive values, and writes that into the account's log first" },
      verify: { type: text, help: 'reads an export from this file instead, and says whether it is whole' },
      json: { type: 'flag', help: 'prints what --verify found as JSON' },
      ...serviceOption,
    },
    notes: [
      serviceNote,
      `It reads the whole table once. A record that is there all the while comes once, as it is when it is read; what is made or
deleted meanwhile may come or not. Secrets, hashes of them and what follows from other records are left out, and so are users'
notification rules and when an API key was last used. A file that ends without its last line is cut off. With --files, what an
export that broke off has put there is taken where it is right.`,
    ],
  },
  async ({ account, out, files, reveal, verify, json, stage }, closeAtEnd) => {
    if (verify !== undefined) {
      if (account || out || files || reveal || stage)
        throw new InvalidOption('--verify takes no other option but --json.');
      return sayWhatIsIn(verify, json);
    }
    if (!account) throw new InvalidOption('--account or --verify is needed; --help says what for.');
    if (json) throw new InvalidOption('--json goes with --verify: an export is JSON anyway.');
    await (stage ? cloudService(stage, closeAtEnd) : localService(closeAtEnd));
    const bucket = files === undefined ? undefined : filesBucket(closeAtEnd);
    const options = {
      reveal,
      ...(bucket &&
        files !== undefined && {
          fetchFile: (document: ExportedRecord) => fetchFile(bucket, files, document),
        }),
    };
    await (out === undefined
      ? pipeline(Readable.from(exportAccount(account, options)), process.stdout, { end: false })
      : writeNew(out, account, options));
  },
);

/** Writes into a file that was not there; where that fails the file is gone again. */
async function writeNew(
  out: string,
  account: AccountId,
  options: Parameters<typeof exportAccount>[1],
): Promise<void> {
  const lines = exportAccount(account, options);
  // The first line says whether there is such an account: before that there is no file.
  const { value: header = '' } = await lines.next();
  await (await open(out, 'wx', 0o600)).close();
  try {
    const all = async function* () {
      yield header;
      yield* lines;
    };
    await pipeline(Readable.from(all()), createWriteStream(out, { flags: 'r+' }));
  } catch (error) {
    rmSync(out, { force: true });
    throw error;
  }
}

async function sayWhatIsIn(path: string, json: boolean): Promise<void> {
  const { header, end } = await readExport(createReadStream(path));
  const { account, at, revealed } = header;
  const { counts } = end;
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const lines = [
    `The export of ${account} of ${at} is whole: ${records} records${revealed ? ', sensitive values shown' : ''}.`,
    ...sorted(counts).map(([kind, count]) => `${kind} ${count}`),
  ];
  print({ account, at, revealed, records, counts }, json ? undefined : `${lines.join('\n')}\n`);
}
