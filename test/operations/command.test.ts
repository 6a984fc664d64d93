import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runProgram } from '../../infra/operations/command.ts';
import { print, textTable } from '../../infra/operations/print.ts';
import { commandHere } from '../harness/command-here.ts';
import { inOneFile } from '../harness/in-one-file.ts';
import { parcels } from '../harness/operations/parcels.ts';
import { runNode } from '../harness/operators-command.ts';

const here = (...args: string[]) => commandHere(() => runProgram(parcels, args));
const sendHere = (...args: string[]) => here('parcels', 'send', ...args);
const sendAsProcess = async (...args: string[]) =>
  runNode(await inOneFile('test/harness/operations/main.ts'), 'parcels', 'send', ...args);

test.each(['--help', '-h'])('%s describes the options, even if other arguments are invalid', async (flag) => {
  const { code, stdout, stderr } = await sendHere('--wrong', flag);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`Usage
  npm run parcels -- parcels send (--to value) [--by value] [--copies value] [--dry-run] <how>
  npm run parcels -- parcels send --help

Sends a parcel.

Parcels are round.

Exit codes: 0 success, 1 failure, 2 invalid option.

Options
      --to        recipient (non-empty text)
     [--by]       latest time of arrival (an instant such as 2026-03-01T10:30:00Z)
     [--copies]   number of copies (a positive whole number)                       [default: 1]
     [--dry-run]  prints what would be sent
  -h  --help      prints this text
      --          ends the options: the other arguments are operands

Operands
  how  way of transport (one of by-land, by-sea)
`);
});

test('without a verb or a noun, the commands are listed', async () => {
  const { code, stdout } = await here('parcels');
  expect([code, stdout]).toEqual([0, expect.stringContaining('\n  send  Sends a parcel\n')]);
  expect((await here()).stdout).toContain('\n  parcels  Send parcels\n');
});

test('a command gets options of the declared types, and its clients are closed at the end', async () => {
  const given = ['by-sea', '--to', 'Ada', '--by=2026-03-01T10:30+01:00', '--copies', '3'];
  const values = { how: 'by-sea', to: 'Ada', by: '2026-03-01T09:30:00.000Z', copies: 3 };
  const stdout = `${JSON.stringify(values)}\nclosed\n`;
  expect(await sendAsProcess(...given)).toEqual({ code: 0, stdout, stderr: '' });
});

test.each([
  ['nowhere', 'Unknown recipient.\n'],
  ['localhost', 'connect ECONNREFUSED ::1:9\n'],
])('a failed command prints one sentence, exits with 1 and closes its clients (%s)', async (to, stderr) => {
  expect(await sendAsProcess('by-sea', '--to', to)).toEqual({ code: 1, stdout: 'closed\n', stderr });
});

test.each(['\u001b]52;c;aGk=\u0007', '\u009b31m', '\u202egnp', 'a\nb\u2028'])(
  'a command prints %j as one line that cannot control the terminal',
  async (text) => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    print(undefined, [text, ...textTable([[text, 'b']])]);
    print({ text });
    const [lines = '', json = ''] = write.mock.calls.map(([written]) => String(written));
    expect(lines.match(/\n/g)).toHaveLength(2);
    expect(json.match(/\n/g)).toHaveLength(3);
    expect(lines + json).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u202e]/u);
    expect(JSON.parse(json)).toEqual({ text });
    const { stderr } = await here('parcels', text);
    expect(stderr).toMatch(/^Unknown command [^\n]+\n$/);
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}|[\u2028\u202e]/u);
  },
);

describe('the options of a command', () => {
  const sent = async (...args: string[]) => {
    const { code, stdout, stderr } = await sendHere(...args);
    return code === 0 ? JSON.parse(stdout.split('\n')[0] ?? '') : stderr;
  };

  test('may be given in any order, and omitted options have their default or are undefined', async () => {
    const omitted = { how: 'by-land', to: '-1', copies: 1, dryRun: true };
    expect(await sent('--dry-run', '--to=-1', 'by-land')).toEqual(omitted);
    expect(await sent('--to', 'Ada', '--', 'by-sea')).toMatchObject({ how: 'by-sea', to: 'Ada' });
  });

  test.each([
    [[], '<how> is required. See --help.\n--to needs a value. See --help.'],
    [['by-sea'], '--to needs a value. See --help.'],
    [['by-sea', '--two', 'Ada'], 'Unknown option --two. Did you mean --to? See --help.'],
    [['by-sea', '-t', 'Ada'], 'Unknown option -t. See --help.'],
    [['by-sea', '--no-dry-run'], 'Unknown option --no-dry-run. Did you mean --dry-run? See --help.'],
    [['by-sea', '--constructor'], 'Unknown option --constructor. See --help.'],
    [['--how', 'by-sea'], 'Unknown option --how. Did you mean --to? See --help.'],
    [['by-sea', 'by-land'], 'Unexpected argument by-land. See --help.'],
    [['by-sea', '--to'], '--to needs a value. See --help.'],
    [['by-sea', '--to='], 'Unknown option --to=. See --help.'],
    [['by-sea', '--to', '-1'], 'Unknown option -1. See --help.'],
    [['by-sea', '--to', '--dry-run'], '--to needs a value. See --help.'],
    [['by-sea', '--to', 'Ada', '--dry-run=maybe'], '--dry-run cannot be maybe. See --help.'],
    [['by-sea', '--to', 'Ada', '--to', 'Eve'], '--to is given twice.'],
    [['by-sea', '--to', ' '], '--to must be non-empty text.'],
    [['by-air', '--to', 'Ada'], '<how> must be one of by-land, by-sea.'],
    [['by-sea', '--to', 'Ada', '--copies', '0'], '--copies must be a positive whole number.'],
    [['by-sea', '--to', 'Ada', '--by', 'noon'], '--by must be an instant such as 2026-03-01T10:30:00Z.'],
  ])('are validated: for the arguments %j, each line on stderr names an option', async (args, stderr) => {
    expect(await sendHere(...args)).toEqual({ code: 2, stdout: '', stderr: `${stderr}\n` });
  });
});

test.each([
  [['parcls'], 'Unknown command parcls. Did you mean parcels? See --help.'],
  [['parcels', 'constructor'], 'Unknown command constructor. See --help.'],
])('for the unknown command %j, one sentence is printed and the exit code is 2', async (words, sentence) => {
  expect(await here(...words)).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
});
