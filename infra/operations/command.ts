import { table } from '../../shared/table/client.ts';
import { printable } from '../printable.ts';
import { describeOptions, InvalidOption, type Options, readOptions, type Values } from './options.ts';

interface Declaration<O extends Options> {
  /** The name of the command's npm script, such as `account:create`. */
  name: string;
  /** The first paragraph of the `--help` output. */
  summary: string;
  options: O;
  /** The last paragraphs of the `--help` output, for example about environment variables. */
  notes?: readonly string[];
}

/** Registers an AWS client that is closed when the command ends. */
export type CloseAtEnd = <C extends { destroy(): void }>(client: C) => C;

/** Prints the lines, or the value as JSON if there are no lines. */
export const print = (value: unknown, lines?: readonly string[]): void =>
  printTo(process.stdout, lines ?? JSON.stringify(value, null, 2).split('\n'));

/** Prints a line on stderr. */
export const printError = (line: string): void => printTo(process.stderr, [line]);

const printTo = (stream: NodeJS.WriteStream, lines: readonly string[]): void =>
  void stream.write(lines.map((line) => `${printable(line)}\n`).join(''));

/** Aligns the columns of a table. Returns its lines. */
export function textTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lineOf = (row: readonly string[]) => row.map((text, n) => text.padEnd(widths[n] ?? 0)).join('  ');
  return rows.map((row) => lineOf(row).trimEnd());
}

/**
 * Parses the arguments of the process and runs a command, or prints its `--help`. The exit code is 2 for an invalid
 * option and 1 if `run` throws, each with a one-line message on stderr. `run` prints its own output and may set
 * another exit code. AWS clients passed to `closeAtEnd`, and the table's client, are closed at the end.
 */
export async function command<const O extends Options>(
  { name, summary, options, notes = [] }: Declaration<O>,
  run: (values: Values<O>, closeAtEnd: CloseAtEnd) => Promise<void>,
): Promise<void> {
  const clients: { destroy(): void }[] = [table];
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help') || args.includes('-h'))
      print(undefined, [summary, describeOptions(name, options), ...notes, endings].join('\n\n').split('\n'));
    else
      await run(readOptions(options, args), (client) => {
        clients.push(client);
        return client;
      });
  } catch (error) {
    printError(messageOf(error));
    process.exitCode = error instanceof InvalidOption ? 2 : 1;
  } finally {
    for (const client of clients) client.destroy();
  }
}

const endings = 'Exit codes: 0 success, 1 failure, 2 invalid option.';

/** Returns the first line of an error message. If connections to several addresses fail, only `errors` has messages. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  const [line = ''] = (error instanceof Error ? error.message || error.name : String(error)).split('\n');
  return line;
}
