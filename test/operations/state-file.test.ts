import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeStored } from '../../infra/administration/stored-file.ts';
import { rejectedPath, rejectedRows } from '../../infra/operations/import/rejected-rows.ts';
import { openState } from '../../infra/operations/import/state-file.ts';
import { atEndOfAll, temporaryFolder } from '../harness/temporary-folder.ts';

const folder = temporaryFolder(atEndOfAll());
const target = { baseUrl: 'http://127.0.0.1:9', account: 'acc_0000000000000000', caller: 'key' };

/** A link at this path to a file of another person. */
function linkAt(path: string, content = ''): string {
  const linked = `${path}.linked`;
  if (content !== '') writeFileSync(linked, content);
  symlinkSync(linked, path);
  return linked;
}

test('a state file that is a symbolic link is refused, and its target is not changed', () => {
  const header = JSON.stringify({ baseUrl: target.baseUrl, account: target.account, resource: 'leads' });
  for (const [name, content] of [
    ['missing.csv', ''],
    ['empty.csv', ' '],
    ['used.csv', `${header}\n{"key":"a`],
  ] as const) {
    const input = join(folder, name);
    const path = `${input}.import-state.jsonl`;
    const linked = linkAt(path, content);
    expect(() => openState(input, target, 'leads')).toThrow(
      `${path} is a symbolic link. Move it away first.`,
    );
    expect(existsSync(linked) ? readFileSync(linked, 'utf8') : '').toBe(content);
  }
});

test('an incomplete last line of a state file is removed, and the other lines are kept', () => {
  const input = join(folder, 'killed.csv');
  const path = `${input}.import-state.jsonl`;
  const first = openState(input, target, 'leads');
  first.imported('a', '1');
  first.close();
  const complete = readFileSync(path, 'utf8');
  writeFileSync(path, `${complete}{"key":"b","id":"ü`);
  const second = openState(input, target, 'leads');
  expect([second.stateOf('a'), second.stateOf('b')]).toEqual([
    { state: 'imported', id: '1' },
    { state: 'new' },
  ]);
  second.imported('c', '3');
  second.close();
  expect(readFileSync(path, 'utf8')).toBe(`${complete}{"key":"c","id":"3"}\n`);
});

test('a file of rejected rows replaces a symbolic link, and does not follow one that is created later', () => {
  const input = join(folder, 'rejected.csv');
  const row = { line: 2, values: { First: 'Ada' } };
  const linked = linkAt(rejectedPath(input), 'kept');
  const rejected = rejectedRows(input, ['First']);
  const later = linkAt(`${rejectedPath(input)}.later`);
  symlinkSync(later, rejectedPath(input));
  expect(() => rejected.add(row, [])).toThrow('EEXIST');
  expect([readFileSync(linked, 'utf8'), existsSync(later)]).toEqual(['kept', false]);
});

test('a stored file is written without following a link at its temporary path', () => {
  const path = join(folder, 'credentials.json');
  const linked = linkAt(`${path}.tmp`, 'kept');
  writeStored(path, 'new');
  expect([readFileSync(path, 'utf8'), readFileSync(linked, 'utf8')]).toEqual(['new', 'kept']);
});
