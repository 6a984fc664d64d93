import { command, group } from '../command.ts';
import { requiredOption, text } from '../options.ts';

const translate = command({
  brief: 'Reads a stack trace of a deployed function from stdin and prints it with source locations',
  notes: [
    `The command uses the source map of the last local build: check out the deployed commit and run npm run build first.`,
  ],
  flags: { function: requiredOption(text, 'name of the function, such as leads-create-lead') },
  loader: () => import('../stack-traces-translate.ts'),
});

export const stackTraceCommands = group('Translate stack traces of deployed functions', { translate });
