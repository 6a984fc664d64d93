import { command, group } from '../command.ts';
import { account, flag, optionalOption } from '../options.ts';
import { serviceNote, serviceOption } from './service-option.ts';

const flags = {
  account: optionalOption(account, 'only this account; default: all accounts'),
  json: flag('prints the result as JSON'),
  ...serviceOption,
};

const build = command({
  brief: 'Writes the entries of all records to the search index',
  notes: [
    `Needed once for a table whose records were written before the search index existed, and after dead letters of the
queue search were deleted. The command reads the whole table. If it is interrupted, run it again: records whose entries
exist are not written again.`,
    serviceNote,
  ],
  flags,
  loader: () => import('../search-index-build.ts'),
});

const check = command({
  brief: 'Compares all records with their entries in the search index, and mends and prints the differences',
  notes: [
    'The command reads the whole table. Entries of deleted records are found, too.',
    serviceNote,
    'If there are differences, the exit code is 1.',
  ],
  flags,
  loader: () => import('../search-index-check.ts'),
});

export const searchIndexCommands = group('Build and check the index of searches and filters', {
  build,
  check,
});
