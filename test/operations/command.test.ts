import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { print, textTable } from '../../infra/operations/command.ts';
import {
  instant,
  type Options,
  oneOf,
  readOptions,
  text,
  wholeNumber,
} from '../../infra/operations/options.ts';
import { operatorsCommand } from '../harness/operators-command.ts';

const sendParcel = operatorsCommand('send-parcel', 'test/harness/operations');

test('--help describes the options, even if other arguments are invalid', async () => {
  const { code, stdout, stderr } = await sendParcel.here('--wrong', '--help');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`Sends a parcel.

  npm run parcel:send -- <how> --to <to> [--by <by>] [--copies <copies>] [--dry-run]

  <how>      way of transport (one of by-land, by-sea)
  --to       recipient (non-empty text)
  --by       latest time of arrival (an instant such as 2026-03-01T10:30:00Z)
  --copies   number of copies; default: 1 (a positive whole number)
  --dry-run  prints what would be sent
  --help     prints this text

Parcels are round.

Exit codes: 0 success, 1 failure, 2 invalid option.
`);
});

test('a command gets options of the declared types, and its clients are closed at the end', async () => {
  const given = ['by-sea', '--to', 'Ada', '--by=2026-03-01T10:30+01:00', '--copies', '3'];
  const values = { how: 'by-sea', to: 'Ada', by: '2026-03-01T09:30:00.000Z', copies: 3, 'dry-run': false };
  const stdout = `${JSON.stringify(values)}\nclosed\n`;
  expect(await sendParcel.asProcess(...given)).toEqual({ code: 0, stdout, stderr: '' });
});

test.each([
  ['nowhere', 'Unknown recipient.\n'],
  ['localhost', 'connect ECONNREFUSED ::1:9\n'],
])('a failed command prints one sentence, exits with 1 and closes its clients (%s)', async (to, stderr) => {
  expect(await sendParcel.asProcess('by-sea', '--to', to)).toEqual({ code: 1, stdout: 'closed\n', stderr });
});

test.each(['\u001b]52;c;aGk=\u0007', '\u009b31m', '\u202egnp', 'a\nb\u2028'])(
  'a command prints %j as one line that cannot control the terminal',
  (text) => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    print(undefined, [text, ...textTable([[text, 'b']])]);
    print({ text });
    const [lines = '', json = ''] = write.mock.calls.map(([written]) => String(written));
    expect(lines.match(/\n/g)).toHaveLength(2);
    expect(json.match(/\n/g)).toHaveLength(3);
    expect(lines + json).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u202e]/u);
    expect(JSON.parse(json)).toEqual({ text });
  },
);

describe('the options of a command', () => {
  const options = {
    how: { type: oneOf('by-land', 'by-sea'), required: true, operand: true, help: 'way of transport' },
    to: { type: text, required: true, help: 'recipient' },
    by: { type: instant, help: 'latest time of arrival' },
    copies: { type: wholeNumber, help: 'number of copies' },
    'dry-run': { type: 'flag', help: 'prints what would be sent' },
  } as const satisfies Options;

  test('may be given in any order, and omitted options are undefined', () => {
    expect(readOptions(options, ['--dry-run', '--to=-1', 'by-land'])).toEqual({
      how: 'by-land',
      to: '-1',
      by: undefined,
      copies: undefined,
      'dry-run': true,
    });
    expect(readOptions(options, ['--to', 'Ada', '--', 'by-sea'])).toMatchObject({ how: 'by-sea', to: 'Ada' });
  });

  test.each([
    [[], '<how> and --to are required. See --help.'],
    [['by-sea'], '--to is required. See --help.'],
    [['by-sea', '--two', 'Ada'], 'Unknown option --two. See --help.'],
    [['by-sea', '-t', 'Ada'], 'Unknown option -t. See --help.'],
    [['by-sea', '--no-dry-run'], 'Unknown option --no-dry-run. See --help.'],
    [['by-sea', '--constructor'], 'Unknown option --constructor. See --help.'],
    [['--how', 'by-sea'], 'Unknown option --how. See --help.'],
    [['by-sea', 'by-land'], 'Unexpected argument by-land. See --help.'],
    [['by-sea', '--to'], '--to needs a value.'],
    [['by-sea', '--to', '--dry-run'], '--to needs a value.'],
    [['by-sea', '--dry-run=yes'], '--dry-run takes no value.'],
    [['by-sea', '--to', 'Ada', '--to', 'Eve'], '--to is given twice.'],
    [['by-sea', '--to', ' '], '--to must be non-empty text.'],
    [['by-sea', '--to', 'Ada', '--copies', '0'], '--copies must be a positive whole number.'],
    [['by-sea', '--to', 'Ada', '--by', 'noon'], '--by must be an instant such as 2026-03-01T10:30:00Z.'],
  ])('are validated: the error for the arguments %j is one sentence', (args, sentence) => {
    expect(() => readOptions(options, args)).toThrow(
      expect.objectContaining({ name: 'InvalidOption', message: sentence }),
    );
  });
});
