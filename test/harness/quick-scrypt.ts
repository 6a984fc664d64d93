import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll } from 'vitest';

type Done = (error: Error | null, key: Buffer) => void;

/**
 * Deriving a key from a password takes a fifth of a second, by design, and the suite signs in a thousand times. So a
 * test's scrypt is scrypt still, of the same password, salt, length and cost, but the cost it names goes into the salt
 * and not into the work. A file that is about passwords, or that shares stored ones with another process, sets
 * `process.env.FULL_SCRYPT` and has the real one; test/auth/password.test.ts holds the product to its cost.
 */
const full = crypto.scrypt;
const quick = (password: string, salt: Buffer, length: number, cost: ScryptOptions, done: Done): void => {
  const salted = Buffer.concat([salt, Buffer.from(JSON.stringify(cost))]);
  if (process.env.FULL_SCRYPT) full(password, salt, length, cost, done);
  // In this thread, so that its callback comes at the next turn: a count of what waits for what goes by turns.
  else setImmediate(done, null, crypto.scryptSync(password, salted, length, { N: 2, r: 1, p: 1 }));
};

/** Gives one test file the quick scrypt. */
export function quickScrypt(): void {
  Object.assign(crypto, { scrypt: quick });
  syncBuiltinESMExports();
  afterAll(() => {
    Object.assign(crypto, { scrypt: full });
    syncBuiltinESMExports();
  });
}
