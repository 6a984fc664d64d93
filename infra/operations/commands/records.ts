import { command, group } from '../command.ts';
import { resourceNames } from '../import/resource-names.ts';
import { address, choice, flag, operand, optionalOption, stage, text, timeZone } from '../options.ts';
import { signInNote } from './service-option.ts';

const importRecords = command({
  brief: 'Creates records through the API from a CSV file, a file of JSON lines or an account export',
  notes: [
    `A file of JSON lines ends with .jsonl or .ndjson. For an account export, the resource is "account". If the command is
interrupted, run it again: rows that were imported before are skipped.`,
    `${signInNote} Only a user who
is an administrator can import lookups. With --stage, the command reads the URL from the stage's stack, with the region
and credentials from the AWS environment.`,
    `Instead of the id of a team, lead source, user, merchant or ticket type, a row may contain its name. The command
then reads the names from the service, also with --dry-run.`,
    `Ambiguous numbers such as 25.000 and dates such as 3/1/2026 are rejected without --decimal and --dates. Without --match,
the command prints a warning for each row that probably has an existing record, and creates a second one. With --match,
it lists these rows, or updates the existing records (--on-match update).`,
    `The file FILE.import-state.jsonl records the progress. Keep it until the import is complete. Rejected rows are
written to FILE.rejected.csv with the reason, and the exit code is then 1.`,
  ],
  flags: {
    map: optionalOption(text, 'JSON file with the field of each column; default: suggested from the headers'),
    writeMap: optionalOption(text, 'writes the map of the columns to this file, and imports nothing'),
    values: optionalOption(
      text,
      'JSON file with values to replace, such as {"Status":{"Solved":"resolved"}}',
    ),
    match: optionalOption(text, 'fields that identify existing records, such as email,phone for leads'),
    onMatch: optionalOption(
      choice('skip', 'update'),
      'what to do with a row that has an existing record; default: skip, which lists the row',
    ),
    decimal: optionalOption(choice('point', 'comma'), 'decimal separator, for numbers such as 25.000'),
    dates: optionalOption(choice('mdy', 'dmy', 'ymd'), 'order of dates such as 3/1/2026'),
    zone: optionalOption(timeZone, 'time zone of times without an offset; default: the zone of the account'),
    dryRun: flag('validates every row, and imports nothing'),
    baseUrl: optionalOption(address, 'URL of the API; default: the local service of DATA_DIR'),
    stage: optionalOption(stage, 'stage of the service, instead of its URL'),
    json: flag('prints the result as JSON'),
  },
  positional: {
    kind: 'tuple',
    parameters: [
      operand('resource', choice(...resourceNames, 'account'), 'records in the file'),
      operand('file', text, 'file to import'),
    ],
  },
  loader: () => import('../records-import.ts'),
});

export const recordCommands = group('Import records', { import: importRecords });
