import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Endpoint } from '../../shared/endpoints/endpoint.ts';

/** The project's root folder. */
export const root = join(import.meta.dirname, '..', '..');

/** An endpoint and the file that declares it. */
export interface EndpointFile {
  /** `leads-create-lead`, from `functions/leads/create-lead.ts`. */
  name: string;
  /** Relative to the root. */
  file: string;
  endpoint: Endpoint;
}

/** Every endpoint there is: one for each file below functions/. Adding a file is all it takes. */
export async function loadEndpoints(): Promise<EndpointFile[]> {
  const files = readdirSync(join(root, 'functions'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort();
  return Promise.all(
    files.map(async (file) => {
      const { default: endpoint } = await import(pathToFileURL(join(root, 'functions', file)).href);
      if (!endpoint?.contract || !endpoint.decide) throw new Error(`functions/${file} exports no endpoint`);
      return {
        name: file.replace(/\.ts$/, '').replaceAll(/[\\/]/g, '-'),
        file: `functions/${file}`,
        endpoint,
      };
    }),
  );
}
