import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../../infra/build/endpoints.ts';
import { lighterBundles } from '../../infra/build/lighter-bundles.ts';
import type * as passkeys from '../../shared/people/factors/verify-passkey.ts';
import { type Attestation, Authenticator } from '../harness/authenticator.ts';

const folder = mkdtempSync(join(root, '.build-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Bundles the module with the plugin and imports it. */
async function bundled<M>(contents: string): Promise<M> {
  const outfile = join(folder, 'bundle.cjs');
  await build({
    stdin: { contents, resolveDir: root },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    plugins: [lighterBundles],
    logLevel: 'silent',
  });
  return import(pathToFileURL(outfile).href);
}
const lighter = await bundled<typeof passkeys>(
  `export * as dynamodb from '@aws-sdk/client-dynamodb';
  export * from './shared/accounts/schema.ts';
  export * from './shared/people/factors/verify-passkey.ts';
  export * from './shared/search/dialing-codes.ts';
  export * from './shared/schema.ts';`,
);

test('a build fails with a list of all edits of dependencies that match no code', async () => {
  const failures = (edits: string[]) => ({
    errors: edits.map((edit) => ({ text: expect.stringContaining(`The edit of ${edit} in `) })),
  });
  const replaced = [
    '@aws-sdk/credential-provider-node',
    '@smithy/core/event-streams',
    '@aws-sdk/endpoint-cache',
  ];
  const edits = ['schemas', 'dialing'];
  await expect(bundled(`export * from './shared/schema.ts';`)).rejects.toMatchObject(
    failures([...replaced, ...edits]),
  );
  await expect(bundled(`export * from '@aws-sdk/client-dynamodb';`)).rejects.toMatchObject(
    failures(['typebox', 'schemas', 'dialing']),
  );
});

describe('the code for passkeys', () => {
  const challenge = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA';
  const rpId = 'localhost';
  const code = 'passkey_rejected';
  const createdBy = (authenticator: Authenticator, attestation?: Attestation) =>
    authenticator.create({ rp: { id: rpId }, user: { id: 'MQ' }, challenge }, { attestation });

  test.each(['none', 'packed'] as const)(
    'verifies a passkey with the attestation %s',
    async (attestation) => {
      const authenticator = new Authenticator();
      const known = await lighter.verifyNewPasskey(createdBy(authenticator, attestation), challenge);
      const use = authenticator.use({ challenge, rpId });
      expect(await lighter.verifyPasskeyUse(use, challenge, known)).toBe(1);
      const forged = { ...use, response: { ...use.response, signature: 'MAYCAQECAQE' } };
      await expect(lighter.verifyPasskeyUse(forged, challenge, known)).rejects.toMatchObject({ code });
      await expect(lighter.verifyPasskeyUse(use, 'other', known)).rejects.toMatchObject({ code });
    },
  );

  test('rejects a passkey with an attestation by a certificate', async () => {
    const created = createdBy(new Authenticator(), 'apple');
    await expect(lighter.verifyNewPasskey(created, challenge)).rejects.toMatchObject({ code });
  });
});
