import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../infra/build/endpoints.ts';

/** All files of the repository, relative to the root. Generated and installed files are not included. */
export const files: readonly string[] = [
  ...readdirSync(root).filter((name) => /^[\w.-]+\.(?:md|json|ts)$/.test(name)),
  ...['.ci', '.github', 'functions', 'events', 'shared', 'infra', 'test', 'findings'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(root.length + 1)
          .replaceAll('\\', '/'),
      ),
  ),
];

/** All documents. */
export const pages: readonly string[] = files.filter((file) => file.endsWith('.md'));

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The text of a document with spaces in place of its code blocks, so that positions stay the same. */
export const proseOf = (page: string): string =>
  textOf(page).replaceAll(/^```.*?^```/gms, (block) => block.replaceAll(/[^\n]/g, ' '));

/** A place in a document, such as `README.md:12`. Tests print it. */
export const placeOf = (page: string, text: string, index: number): string =>
  `${page}:${text.slice(0, index).split('\n').length}`;

/** The code spans in the sentences and tables of a document, with their places. */
export const spansOf = (page: string): { place: string; span: string }[] => {
  const prose = proseOf(page);
  return [...prose.matchAll(/`([^`]+)`/g)].map(({ index, 1: span = '' }) => ({
    place: placeOf(page, prose, index),
    span: span.replaceAll(/\s+/g, ' '),
  }));
};
