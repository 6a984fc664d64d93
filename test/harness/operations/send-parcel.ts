import '../../../infra/quiet-sdk.ts';
import { command } from '../../../infra/operations/command.ts';
import { instant, oneOf, text, wholeNumber } from '../../../infra/operations/options.ts';

/** A command without effect, for tests of features that all commands have. */
await command(
  {
    name: 'parcel:send',
    summary: 'Sends a parcel.',
    options: {
      how: { type: oneOf('by-land', 'by-sea'), required: true, operand: true, help: 'way of transport' },
      to: { type: text, required: true, help: 'recipient' },
      by: { type: instant, help: 'latest time of arrival' },
      copies: { type: wholeNumber, help: 'number of copies; default: 1' },
      'dry-run': { type: 'flag', help: 'prints what would be sent' },
    },
    notes: ['Parcels are round.'],
  },
  async (values, closeAtEnd) => {
    closeAtEnd({ destroy: () => process.stdout.write('closed\n') });
    if (values.to === 'nowhere') throw new Error('Unknown recipient.\n    at the second line');
    if (values.to === 'localhost') throw new AggregateError([new Error('connect ECONNREFUSED ::1:9')]);
    process.stdout.write(`${JSON.stringify(values)}\n`);
  },
);
