import '../../../infra/quiet-sdk.ts';
import { command } from '../../../infra/operations/command.ts';
import { instant, oneOf, text, wholeNumber } from '../../../infra/operations/options.ts';

/** A command without effect, for tests of what all commands have in common. */
await command(
  {
    name: 'parcel:send',
    summary: 'Sends a parcel.',
    options: {
      how: { type: oneOf('by-land', 'by-sea'), required: true, operand: true, help: 'which way' },
      to: { type: text, required: true, help: 'whose it is' },
      by: { type: instant, help: 'when it must be there' },
      copies: { type: wholeNumber, help: 'how many; 1 when left out' },
      'dry-run': { type: 'flag', help: 'only says what it would do' },
    },
    notes: ['Parcels are round.'],
  },
  async (values, closeAtEnd) => {
    closeAtEnd({ destroy: () => process.stdout.write('closed\n') });
    if (values.to === 'nowhere') throw new Error('There is no such place.\n    at the second line');
    if (values.to === 'localhost') throw new AggregateError([new Error('connect ECONNREFUSED ::1:9')]);
    process.stdout.write(`${JSON.stringify(values)}\n`);
  },
);
