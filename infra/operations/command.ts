import { table } from '../../shared/table/client.ts';
import { describeOptions, InvalidOption, type Options, readOptions, type Values } from './options.ts';

/** What an operators' command says of itself. */
interface Declaration<O extends Options> {
  /** As npm has it: `account:create`. */
  name: string;
  /** What it does: the first words of its `--help`. */
  summary: string;
  options: O;
  /** Paragraphs that end its `--help`: what of the environment it reads, what its output means. */
  notes?: readonly string[];
}

/** Prints a result, as JSON unless there is a text for people. */
export const print = (value: unknown, text?: string): void =>
  void process.stdout.write(text ?? `${JSON.stringify(value, null, 2)}\n`);

interface Client {
  destroy(): void;
}

/**
 * Runs a command by the arguments of the process: its options are declared, `--help` is printed from them. It ends
 * with 0, with 2 and one sentence where an option is missing, unknown or not what it must be, and with 1 and one
 * sentence where `run` throws. `run` writes its own output, with `--json` as it declares that, and may set another
 * exit code; an AWS client that it passes to `using` is closed at the end, as that of the table is.
 */
export async function command<const O extends Options>(
  { name, summary, options, notes = [] }: Declaration<O>,
  run: (values: Values<O>, closeAtEnd: <C extends Client>(client: C) => C) => Promise<void>,
): Promise<void> {
  const clients: Client[] = [table];
  const args = process.argv.slice(2);
  try {
    if (args.includes('--help') || args.includes('-h'))
      process.stdout.write(`${[summary, describeOptions(name, options), ...notes, endings].join('\n\n')}\n`);
    else
      await run(readOptions(options, args), (client) => {
        clients.push(client);
        return client;
      });
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    process.exitCode = error instanceof InvalidOption ? 2 : 1;
  } finally {
    for (const client of clients) client.destroy();
  }
}

const endings =
  'It ends with 0, with 1 and a sentence where it fails, with 2 and a sentence where an option is wrong.';

/** What went wrong, in one line. A name with several addresses of which none answers fails without any words. */
function sentenceOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return sentenceOf(error.errors[0]);
  const [line = ''] = (error instanceof Error ? error.message || error.name : String(error)).split('\n');
  return line;
}
