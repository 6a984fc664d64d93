import { join } from 'node:path';
import { root } from '../build/endpoints.ts';
import '../quiet-sdk.ts';
import { buildClient } from './build-client.ts';

/** `npm run client`: writes the npm package of the client. */
const folder = join(root, '.build', 'client');
await buildClient(folder);
console.log(`The package is in ${folder}.`);
