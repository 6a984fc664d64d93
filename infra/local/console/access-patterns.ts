import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Tokens } from 'marked';
import { type IndexName, tableDefinition } from '../../../shared/table/definition.ts';
import { root } from '../../build/endpoints.ts';

/** A way to read a partition of the table or of an index. The patterns are listed in shared/table/README.md. */
export interface AccessPattern {
  /** For example `record by id`. */
  read: string;
  index?: IndexName;
  /**
   * The parts of the partition key after the account id, for example `["NOUN", "id"]`. NOUN, KIND, and all parts that
   * are not in capitals are variables.
   */
  partition: string[];
  /** True if all accounts share the partition. */
  shared: boolean;
  /** A description of the sort keys, for example `AUDIT#event to RECORD`. */
  sortKey: string;
  /** The file that reads the partition, relative to the root. */
  code: string;
}

const folder = join('shared', 'table');
let patterns: AccessPattern[] | undefined;

/** Returns the access patterns in shared/table/README.md. */
export function accessPatterns(): AccessPattern[] {
  patterns ??= parsePatterns(readFileSync(join(root, folder, 'README.md'), 'utf8'));
  return patterns;
}

/** Parses the two tables of access patterns: first the partitions of an account, then the shared partitions. */
export function parsePatterns(text: string): AccessPattern[] {
  const tables = marked
    .lexer(text)
    .filter((token): token is Tokens.Table => token.type === 'table')
    .filter(({ header }) => header.map((cell) => cell.text).join() === 'read,partition,sort key,code');
  return tables.flatMap(({ rows }, n) =>
    rows.flatMap((cells) =>
      patternsOf(
        cells.map((cell) => cell.text),
        n > 0,
      ),
    ),
  );
}

function patternsOf(
  [read = '', partition = '', sortKey = '', code = '']: string[],
  shared: boolean,
): AccessPattern[] {
  const [, named] = /^index `(\w+)`/.exec(partition) ?? [];
  const index = tableDefinition.indexes.find(({ name }) => name === named)?.name;
  const templates = [...partition.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one).slice(index ? 1 : 0);
  const reads = read.split('; ');
  const sortKeys = sortKey.split('; ');
  return templates.map((template, n) => ({
    read: (reads.length === templates.length ? reads[n] : undefined) ?? read,
    ...(index && { index }),
    partition: template.split('#').filter((part) => !['ACCOUNT', '<account>'].includes(part)),
    shared,
    sortKey: plain((sortKeys.length === templates.length ? sortKeys[n] : undefined) ?? sortKey),
    code: join(folder, /\]\(([^)]+)\)/.exec(code)?.[1] ?? ''),
  }));
}

const plain = (text: string): string => text.replaceAll('`', '');
