import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';

export const root = join(import.meta.dirname, '..', '..');

export interface EndpointFile {
  /** `leads-create-lead`, from `functions/leads/create-lead.ts`. */
  name: string;
  /** The path relative to the root. */
  file: string;
  endpoint: Endpoint;
}

/** All endpoints: one for each file below functions/. */
export async function loadEndpoints(): Promise<EndpointFile[]> {
  return (await defaultExports<Endpoint>('functions')).map(({ name, file, exported }) => {
    if (!exported?.contract || !exported.decide) throw new Error(`${file} exports no endpoint`);
    return { name, file, endpoint: exported };
  });
}

/** The default export of each file below a folder. `name` is the path in the folder, with dashes instead of slashes. */
export async function defaultExports<T>(
  folder: string,
): Promise<{ name: string; file: string; exported?: T }[]> {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
  return Promise.all(
    paths.map(async (path) => {
      const { default: exported } = await import(pathToFileURL(join(root, folder, path)).href);
      return { name: path.replace(/\.ts$/, '').replaceAll('/', '-'), file: `${folder}/${path}`, exported };
    }),
  );
}
