import type { CryptoKey } from 'jose';
import { generateSecret, generateURI, verifySync } from 'otplib';
import type { AccountId } from '../../id/account-id.ts';
import { decryptText, encryptText } from '../../security/encrypted-value.ts';
import { newWrappedKey, unwrappedKey } from '../../security/unwrapped-keys.ts';
import { type CodeSteps, isAppCode } from './rules.ts';
import type { StoredTotp } from './schema.ts';

/**
 * The account id in the encryption context of the keys of factors, because a person belongs to no account. No real account
 * can have this id.
 */
const people = 'people' as AccountId;
const [kid, period] = ['1', 30];

const placeOf = (id: number) => ({ account: people, record: `factor:${id}`, field: 'secret' });

/**
 * Returns a new secret of 160 bits for an authenticator app, and its encrypted form. Each secret has its own data key, so
 * a login reads no other item to decrypt it, and the secret stays valid if the person moves to another account.
 */
export async function newTotpSecret(
  id: number,
  email: string,
): Promise<{ secret: string; uri: string; stored: Pick<StoredTotp, 'wrappedKey' | 'secret'> }> {
  const secret = generateSecret();
  const wrappedKey = await newWrappedKey(people);
  const key = await unwrappedKey(people, wrappedKey);
  return {
    secret,
    uri: generateURI({ issuer: 'merchant-ops', label: email, secret, period }),
    stored: { wrappedKey, secret: await encryptText({ kid, key }, placeOf(id), secret) },
  };
}

const decryptSecret = ({ id, wrappedKey, secret }: StoredTotp): Promise<string> =>
  decryptText(async (): Promise<CryptoKey> => unwrappedKey(people, wrappedKey), placeOf(id), secret);

/**
 * Returns the factors whose apps show a code, with the time step of the code: the current step, or the step before
 * (RFC 6238, 5.2). Omits a factor if the step is not later than its last accepted step.
 */
export async function stepsOf(factors: readonly StoredTotp[], code: string, now: Date): Promise<CodeSteps> {
  // otplib 13.5.0 throws for a text of another length or with letters.
  if (!isAppCode(code)) return new Map();
  const steps = await Promise.all(
    factors.map(async (factor) => [factor.id, await stepOf(factor, code, now)] as const),
  );
  return new Map(steps.flatMap(([id, step]) => (step === undefined ? [] : [[id, step] as const])));
}

async function stepOf(factor: StoredTotp, code: string, now: Date): Promise<number | undefined> {
  const { lastStep = -1 } = factor;
  const result = verifySync({
    strategy: 'totp',
    secret: await decryptSecret(factor),
    token: code,
    period,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: [period, 0],
  });
  // otplib 13.5.0 throws for `afterTimeStep` in the future, which another instance with a faster clock may have stored.
  return result.valid && 'timeStep' in result && result.timeStep > lastStep ? result.timeStep : undefined;
}
