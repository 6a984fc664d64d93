import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll } from 'vitest';

type Done = (error: Error | null, key: Buffer) => void;

/**
 * Deriving a key takes a fifth of a second by design, and the suite signs in a thousand times. Here, scrypt runs at
 * the lowest cost, and the requested cost becomes part of the salt. So the result still depends on password, salt,
 * length and cost. A file about passwords, or one that shares stored passwords with another process, sets
 * `process.env.FULL_SCRYPT`. test/auth/password.test.ts tests the real cost.
 */
const full = crypto.scrypt;
const quick = (password: string, salt: Buffer, length: number, cost: ScryptOptions, done: Done): void => {
  const salted = Buffer.concat([salt, Buffer.from(JSON.stringify(cost))]);
  if (process.env.FULL_SCRYPT) full(password, salt, length, cost, done);
  // Runs in this thread and calls back in the next turn of the event loop, because the cost meter counts turns.
  else setImmediate(done, null, crypto.scryptSync(password, salted, length, { N: 2, r: 1, p: 1 }));
};

/** Installs the quick scrypt for one test file. */
export function quickScrypt(): void {
  Object.assign(crypto, { scrypt: quick });
  syncBuiltinESMExports();
  afterAll(() => {
    Object.assign(crypto, { scrypt: full });
    syncBuiltinESMExports();
  });
}
