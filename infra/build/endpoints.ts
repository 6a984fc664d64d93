import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint, RunnableList } from '../../shared/endpoints/endpoint.ts';
import { portalPages, viewedResources } from '../../shared/resources/derived.ts';
import type { ViewedName } from '../../shared/resources/registry.ts';

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

interface ListFile extends EndpointFile {
  endpoint: RunnableList['endpoint'];
}

/** The lists that endpoints with `runsLists` run: the list of each resource with views. */
export const listsOf = (all: readonly EndpointFile[]): Readonly<Record<ViewedName, ListFile>> =>
  Object.fromEntries(
    viewedResources.map((resource) => {
      const path = portalPages[resource]?.path;
      const list = all.find((one) => isListAt(path, one));
      if (!list) throw new Error(`GET ${path} is not declared with listing.`);
      return [resource, list];
    }),
  ) as Record<ViewedName, ListFile>;

const isListAt = (path: string | undefined, one: EndpointFile): one is ListFile =>
  one.endpoint.contract.method === 'GET' && one.endpoint.contract.path === path && 'count' in one.endpoint;
