import crypto, { type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type Done = (error: Error | null, key: Buffer) => void;

/**
 * Deriving a key takes a fifth of a second by design, and the tests sign in a thousand times. So tests run scrypt at
 * the lowest cost. The requested cost becomes part of the salt, so different costs give different keys. Test files that
 * test passwords set `process.env.FULL_SCRYPT`. test/auth/password.test.ts tests the real cost.
 */
const full = crypto.scrypt;
const quick = (password: string, salt: Buffer, length: number, cost: ScryptOptions, done: Done): void => {
  const salted = Buffer.concat([salt, Buffer.from(JSON.stringify(cost))]);
  if (process.env.FULL_SCRYPT) full(password, salt, length, cost, done);
  // Calls back in the next event loop iteration, because the cost meter waits only for a few iterations.
  else setImmediate(done, null, crypto.scryptSync(password, salted, length, { N: 2, r: 1, p: 1 }));
};

/** Installs the quick scrypt in this process, until the returned function is called. */
export function quickScrypt(): () => void {
  Object.assign(crypto, { scrypt: quick });
  syncBuiltinESMExports();
  return () => {
    Object.assign(crypto, { scrypt: full });
    syncBuiltinESMExports();
  };
}
