import { createReadStream, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ExportedRecord } from '../../shared/closing/exported-kinds.ts';
import type { AccountId } from '../../shared/id/account-id.ts';
import type { StageSettings } from '../stage-settings.ts';
import { type ExportedCounts, exportAccount } from './export-account.ts';
import { fetchFile, verifyFile } from './fetch-file.ts';
import { filesBucket } from './files-bucket.ts';
import { InvalidOption } from './options.ts';
import { print, printError } from './print.ts';
import { readExport } from './read-export.ts';
import { cloudService, localService } from './service-at.ts';

type Options = {
  account?: AccountId;
  out?: string;
  files?: string;
  reveal?: boolean;
  verify?: string;
  json?: boolean;
  stage?: StageSettings;
};

export default async function ({
  account,
  out,
  files,
  reveal = false,
  verify,
  json = false,
  stage,
}: Options): Promise<void> {
  if (verify !== undefined) {
    if (account || out || reveal || stage)
      throw new InvalidOption('--verify can only be combined with --files and --json.');
    return verifyExport(verify, files, json);
  }
  if (!account) throw new InvalidOption('--account or --verify is required. See --help.');
  if (json) throw new InvalidOption('--json requires --verify. An export is always JSON.');
  await (stage ? cloudService(stage) : localService());
  const bucket = files === undefined ? undefined : filesBucket();
  const options = {
    reveal,
    ...(bucket &&
      files !== undefined && {
        fetchFile: (document: ExportedRecord) => fetchFile(bucket, files, document),
      }),
  };
  const exported: ExportedCounts[] = [];
  const lines = async function* () {
    exported.push(yield* exportAccount(account, options));
  };
  await (out === undefined
    ? pipeline(Readable.from(lines()), process.stdout, { end: false })
    : writeNew(out, lines()));
  // If the export is written to stdout, the summary is written to stderr.
  const printLine = out === undefined ? printError : (line: string) => print(undefined, [line]);
  for (const counts of exported) {
    const [first, ...others] = describeCounts(counts);
    for (const line of [`The export of ${account} has ${first}`, ...others]) printLine(line);
  }
}

/** Writes a new file. Removes the file if writing fails. Throws if the file already exists. */
async function writeNew(out: string, lines: AsyncGenerator<string>): Promise<void> {
  // For an unknown account, this call throws before the file is created.
  const { value: header = '' } = await lines.next();
  const target = await open(out, 'wx', 0o600);
  try {
    const all = async function* () {
      yield header;
      yield* lines;
    };
    await pipeline(Readable.from(all()), target.createWriteStream());
  } catch (error) {
    rmSync(out, { force: true });
    throw error;
  }
}

/** Verifies an export and, if `folder` is given, also the exported files in this folder. */
async function verifyExport(path: string, folder: string | undefined, json: boolean): Promise<void> {
  let files = 0;
  const { header, end } = await readExport(createReadStream(path), async (record) => {
    if (record.file === undefined) return;
    files += 1;
    if (folder !== undefined) await verifyFile(folder, record);
  });
  const { account, at, revealed } = header;
  const { counts } = end;
  const lines = [
    `The export of ${account} from ${at} is complete${revealed ? ', with sensitive values shown' : ''}.`,
    ...describeCounts({ counts, files }),
  ];
  const records = totalOf(counts);
  print({ account, at, revealed, records, files, counts }, json ? undefined : lines);
}

function totalOf(counts: ExportedCounts['counts']): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function describeCounts({ counts, files }: ExportedCounts): string[] {
  return [
    `${totalOf(counts)} records and ${files} files:`,
    ...Object.entries(counts)
      .sort()
      .map(([kind, count]) => `${kind} ${count}`),
  ];
}
