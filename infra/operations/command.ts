import {
  type Application,
  ArgumentScannerError,
  type BaseArgs,
  type BaseFlags,
  buildApplication,
  buildCommand,
  buildRouteMap,
  type Command,
  type CommandContext,
  type CommandFunctionLoader,
  ExitCode,
  type FlagParametersForType,
  formatMessageForArgumentScannerError,
  help,
  proposeCompletions,
  type RouteMap,
  run,
  type StricliProcess,
  type TypedCommandParameters,
  type TypedCommandPositionalParameters,
  text_en,
} from '@stricli/core';
import { closeClients } from './close-at-end.ts';
import { InvalidOption } from './options.ts';
import { print, printError } from './print.ts';

type Declaration<FLAGS extends BaseFlags, ARGS extends BaseArgs> = {
  /** One line. It is shown in the list of commands and is the first line of the `--help` output. */
  brief: string;
  /** The other paragraphs of the `--help` output. */
  notes?: readonly string[];
  flags: FlagParametersForType<FLAGS>;
  /**
   * Imports the command's function when the command runs, so that `--help` and the completion do not load the AWS SDK.
   * The function prints its own output, and may set another exit code than 0.
   */
  loader: CommandFunctionLoader<FLAGS, ARGS, CommandContext>;
} & TypedCommandPositionalParameters<ARGS, CommandContext>;

type Commands = Readonly<Record<string, Command<CommandContext>>>;

/** Declares a command. The compiler compares its flags and operands with the parameters of its function. */
export function command<FLAGS extends BaseFlags, ARGS extends BaseArgs>(
  declaration: Declaration<FLAGS, ARGS>,
): Command<CommandContext> {
  const { brief, notes = [], flags, positional, loader } = declaration;
  const paragraphs = [`${brief}.`, ...notes, 'Exit codes: 0 success, 1 failure, 2 invalid option.'];
  const parameters = { flags: withoutPrototype(flags), positional };
  return buildCommand({
    loader,
    parameters: parameters as TypedCommandParameters<FLAGS, ARGS, CommandContext>,
    docs: { brief, fullDescription: paragraphs.join('\n\n') },
  });
}

/** Declares the commands of a noun by their verbs. */
export const group = (brief: string, commands: Commands): RouteMap<CommandContext> =>
  buildRouteMap({ routes: withoutPrototype(commands), docs: { brief } });

/** Prevents stricli from finding names such as `constructor` in the prototype of an object. */
const withoutPrototype = <T extends object>(names: T): T => Object.setPrototypeOf(names, null);

/** Builds a program from the groups of its commands. `name` is how a user calls the program. */
export const program = (
  name: string,
  brief: string,
  groups: Readonly<Record<string, RouteMap<CommandContext>>>,
): Application<CommandContext> =>
  buildApplication(
    buildRouteMap({ routes: withoutPrototype(groups), docs: { brief } }),
    {
      name,
      scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
      determineExitCode: (error) => (error instanceof InvalidOption ? 2 : 1),
      localization: { text },
    },
    {
      help: help({
        brief: 'prints this text',
        defaultForRouteMap: true,
        complete: true,
        formatting: {
          useAliasInUsageLine: false,
          onlyRequiredInUsageLine: false,
          caseStyle: 'convert-camel-to-kebab',
        },
      }),
    },
  );

const text = {
  ...text_en,
  keywords: { ...text_en.keywords, default: 'default:' },
  headers: {
    usage: 'Usage',
    aliases: 'Aliases',
    commands: 'Commands',
    flags: 'Options',
    arguments: 'Operands',
  },
  briefs: { ...text_en.briefs, argumentEscapeSequence: 'ends the options: the other arguments are operands' },
  noCommandRegisteredForInput: ({ input, corrections }: { input: string; corrections: readonly string[] }) =>
    `Unknown command ${input}.${didYouMean(corrections)} See --help.`,
  exceptionWhileParsingArguments: (error: unknown) =>
    error instanceof ArgumentScannerError
      ? formatMessageForArgumentScannerError(error, argumentErrors)
      : messageOf(error),
  exceptionWhileLoadingCommandFunction: messageOf,
  exceptionWhileRunningCommand: messageOf,
};

const argumentErrors: Parameters<typeof formatMessageForArgumentScannerError>[1] = {
  AliasNotFoundError: ({ input }) => `Unknown option -${input}. See --help.`,
  ArgumentParseError: ({ externalFlagNameOrPlaceholder: name, input, exception }) =>
    exception instanceof InvalidOption
      ? exception.message.replace(/^must be/, `--${name} must be`)
      : `--${name} cannot be ${input}. See --help.`,
  FlagNotFoundError: ({ input, corrections }) =>
    `Unknown option --${input}.${didYouMean(corrections.map((name) => `--${name}`))} See --help.`,
  UnexpectedFlagError: ({ externalFlagName }) => `--${externalFlagName} is given twice.`,
  UnexpectedPositionalError: ({ input }) => `Unexpected argument ${input}. See --help.`,
  UnsatisfiedFlagError: ({ externalFlagName }) => `--${externalFlagName} needs a value. See --help.`,
  UnsatisfiedPositionalError: ({ placeholder }) => `<${placeholder}> is required. See --help.`,
};

const didYouMean = ([first]: readonly string[]): string =>
  first ? ` Did you mean ${first.replaceAll('`', '')}?` : '';

/** Returns the first line of an error message. If connections to several addresses fail, only `errors` has messages. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  const [line = ''] = (error instanceof Error ? error.message || error.name : String(error)).split('\n');
  return line;
}

/**
 * Runs the command that the arguments name, or prints its `--help`. The exit code is 2 for an unknown command or an
 * invalid option, and 1 if the command fails, each with a one-line message on stderr. Closes the command's AWS clients.
 */
export async function runProgram(app: Application<CommandContext>, args: readonly string[]): Promise<void> {
  const outcome: StricliProcess = {
    stdout: { write: (lines) => print(undefined, lines.trimEnd().split('\n')) },
    stderr: { write: (line) => printError(line.trimEnd()) },
  };
  const end = args.indexOf('--');
  // stricli would use arguments such as `-5` and `--to=` as values.
  const invalid = args
    .slice(0, end < 0 ? undefined : end)
    .find((arg) => arg.startsWith('-') && !/^(?:-[a-z]|--[a-z][\w-]+(?:=.+)?)$/i.test(arg));
  if (invalid !== undefined) {
    printError(`Unknown option ${invalid}. See --help.`);
    process.exitCode = 2;
    return;
  }
  await run(app, args, { process: outcome }).finally(closeClients);
  process.exitCode ||= exitCodes.get(outcome.exitCode) ?? 1;
}

const exitCodes = new Map<unknown, number>([
  [ExitCode.Success, 0],
  [ExitCode.UnknownCommand, 2],
  [ExitCode.InvalidArgument, 2],
  [2, 2],
]);

/** Returns the completions of the last of these words. */
export async function completionsOf(
  app: Application<CommandContext>,
  words: readonly string[],
): Promise<string[]> {
  const proposals = await proposeCompletions(app, words, { process });
  return proposals.map(({ completion }) => completion);
}
