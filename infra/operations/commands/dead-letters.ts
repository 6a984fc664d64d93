import { deadLetterSources } from '../../administration/dead-letter-sources.ts';
import { command, group } from '../command.ts';
import { choice, flag, optionalOption, type ValueType } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const ids: ValueType<readonly string[]> = {
  expected: 'a comma-separated list of ids',
  parse: (given) => {
    const all = given.split(',').map((id) => id.trim());
    return all.every((id) => id !== '') ? all : undefined;
  },
};

const queue = optionalOption(
  choice(...deadLetterSources),
  'selects the dead letters of one queue or of the relay',
);

const selection = {
  queue,
  id: optionalOption(ids, 'selects these dead letters'),
  all: flag('selects all dead letters'),
};

const selectionNote = 'The command requires --id, --queue or --all.';

const list = command({
  brief: 'Lists the queues and their dead letters',
  notes: [serviceNote],
  flags: { queue, json: flag('prints the list as JSON'), ...serviceOption },
  loader: async () => (await import('../dead-letters.ts')).listLetters,
});

const show = command({
  brief: 'Prints dead letters with their messages',
  notes: [serviceNote, selectionNote],
  flags: { ...selection, ...serviceOption },
  loader: async () => (await import('../dead-letters.ts')).showLetters,
});

const redrive = command({
  brief: 'Sends dead letters back to their queues',
  notes: [
    serviceNote,
    `${selectionNote} A dead letter of the relay is a stream record, an unsent message or a Lambda failure note. The
command sends the messages of the record, sends the message, or replays all events in the time span of the note. On this
machine, dead letters are files: the running service sends the redriven dead letters and removes each file once its
messages are processed.`,
    'If a dead letter cannot be redriven, it is kept and the exit code is 1.',
  ],
  flags: { ...selection, dryRun: flag('prints the effect, and changes nothing'), ...serviceOption },
  loader: async () => (await import('../dead-letters.ts')).redriveLetters,
});

const remove = command({
  brief: 'Deletes dead letters',
  notes: [serviceNote, selectionNote],
  flags: { ...selection, dryRun: flag('prints the effect, and changes nothing'), ...serviceOption },
  loader: async () => (await import('../dead-letters.ts')).removeLetters,
});

export const deadLetterCommands = group('Show, redrive and remove dead letters', {
  list,
  show,
  redrive,
  remove,
});
