import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './endpoints.ts';

/** Where a build leaves its functions unless it is told otherwise, relative to the root. */
export const functionsFolder = '.build/functions';

/** Where the maps of a folder of functions are, relative to the root: beside it, so that none is deployed. */
export const mapsOf = (folder: string): string => `${folder}-maps`;

/** The map of a function. */
export const mapOf = (folder: string, name: string): string => `${mapsOf(folder)}/${name}.map`;

/** Puts the map of a bundle, which the bundler leaves beside it, to where it belongs. */
export function keepMap(folder: string, name: string): void {
  mkdirSync(join(root, mapsOf(folder)), { recursive: true });
  renameSync(join(root, folder, name, 'index.cjs.map'), join(root, mapOf(folder, name)));
}
