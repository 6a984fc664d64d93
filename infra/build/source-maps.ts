import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './endpoints.ts';

/** The default folder of built functions, relative to the root. */
export const functionsFolder = '.build/functions';

/** The folder of the source maps. It is next to the functions' folder, so that no source map is deployed. */
export const sourceMapFolder = (folder: string): string => `${folder}-maps`;

export const sourceMapPath = (folder: string, name: string): string =>
  `${sourceMapFolder(folder)}/${name}.map`;

/** Moves the source map of a bundle to the folder of the maps. */
export function moveMap(folder: string, name: string): void {
  mkdirSync(join(root, sourceMapFolder(folder)), { recursive: true });
  renameSync(join(root, folder, name, 'index.cjs.map'), join(root, sourceMapPath(folder, name)));
}
