import { command, group, program } from '../../../infra/operations/command.ts';
import {
  choice,
  defaultedOption,
  flag,
  instant,
  operand,
  optionalOption,
  requiredOption,
  text,
  wholeNumber,
} from '../../../infra/operations/options.ts';

/** A program with a command without effect, for tests of features that all commands have. */
export const parcels = program('npm run parcels --', 'Handle parcels', {
  parcels: group('Send parcels', {
    send: command({
      brief: 'Sends a parcel',
      notes: ['Parcels are round.'],
      flags: {
        to: requiredOption(text, 'recipient'),
        by: optionalOption(instant, 'latest time of arrival'),
        copies: defaultedOption(wholeNumber, '1', 'number of copies'),
        dryRun: flag('prints what would be sent'),
      },
      positional: {
        kind: 'tuple',
        parameters: [operand('how', choice('by-land', 'by-sea'), 'way of transport')],
      },
      loader: () => import('./send-parcel.ts'),
    }),
  }),
});
