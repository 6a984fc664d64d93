import { randomBytes } from 'node:crypto';
import { ApiError } from '../../errors.ts';
import { hashSecret } from '../../security/key-secrets.ts';
import type { FactorUse } from '../../security/principal.ts';
import type { StoredFactor, StoredFactors, StoredTotp } from './schema.ts';

const mostOf: Readonly<Record<StoredFactor['type'], number>> = { totp: 5, passkey: 10 };
const codeCount = 10;
/** After this many wrong codes, each further wrong code doubles the delay. */
const freeFailures = 5;
const [firstDelay, longestDelay] = [30, 15 * 60];
/** A challenge is valid for this many milliseconds. */
export const challengeMilliseconds = 5 * 60_000;
/** A factor that is not confirmed within this many milliseconds can no longer be confirmed. */
const confirmedWithin: typeof mostOf = { totp: 15 * 60_000, passkey: challengeMilliseconds };

export const noFactors: StoredFactors = { factors: [], recoveryCodes: [], failures: 0, version: 0 };

export const isConfirmed = ({ confirmedAt }: StoredFactor): boolean => confirmedAt !== undefined;

export const confirmedFactors = ({ factors }: StoredFactors): StoredFactor[] => factors.filter(isConfirmed);

/** The authenticator apps that can prove a login. */
export const confirmedApps = (stored: StoredFactors): StoredTotp[] =>
  confirmedFactors(stored).filter((factor) => factor.type === 'totp');

/** Adds a factor that is not confirmed, in place of an earlier one. Throws `too_many_factors`. */
export function withNewFactor(stored: StoredFactors, added: StoredFactor): StoredFactors {
  const kept = confirmedFactors(stored);
  const ofType = kept.filter(({ type }) => type === added.type);
  if (ofType.length >= mostOf[added.type]) throw new ApiError('too_many_factors');
  return { ...stored, factors: [...kept, added] };
}

export const noSuchFactor = (message: string): ApiError => new ApiError('not_found', { message });

/** Returns the factor that can be confirmed. Throws `not_found`, also if the factor is confirmed or too old. */
export function factorToConfirm({ factors }: StoredFactors, id: number, now: Date): StoredFactor {
  const factor = factors.find((one) => one.id === id);
  const isOpen = factor && !isConfirmed(factor);
  if (!isOpen || now.getTime() - Date.parse(factor.createdAt) > confirmedWithin[factor.type])
    throw noSuchFactor(`You have no factor ${id} that waits for its confirmation.`);
  return factor;
}

/**
 * Removes a factor. With the last confirmed factor, the recovery codes are removed, too. Throws `not_found`.
 */
export function withoutFactor(stored: StoredFactors, id: number): StoredFactors {
  const factors = stored.factors.filter((one) => one.id !== id);
  if (factors.length === stored.factors.length) throw noSuchFactor(`You have no factor ${id}.`);
  return factors.some(isConfirmed) ? { ...stored, factors } : { ...stored, factors, recoveryCodes: [] };
}

export const replaceFactor = (stored: StoredFactors, factor: StoredFactor): StoredFactors => ({
  ...stored,
  factors: stored.factors.map((one) => (one.id === factor.id ? factor : one)),
});

/** Without I, L, O and U, as in Crockford's base 32. A byte modulo 32 is unbiased. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns ten new recovery codes of 80 random bits, and their hashes, which are stored. */
export function newRecoveryCodes(): { shown: string[]; hashes: string[] } {
  const shown = Array.from({ length: codeCount }, () =>
    [...randomBytes(16)]
      .map((byte) => alphabet[byte % 32])
      .join('')
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
  return { shown, hashes: shown.map((code) => hashSecret(entered(code))) };
}

/** Returns a code without spaces and hyphens, in upper case. */
export const entered = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** A code of an authenticator app, unlike a recovery code. */
export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code);

/**
 * Returns the seconds until the next check of a code. Five wrong codes in a row are free. Then the delay grows from 30 s to
 * 15 min.
 */
export function delayOf({ retryAt }: StoredFactors, now: Date): number {
  const wait = retryAt === undefined ? 0 : Date.parse(retryAt) - now.getTime();
  return Math.max(0, Math.ceil(wait / 1000));
}

/** For each factor whose app shows a code: the time step of the code. */
export type CodeSteps = ReadonlyMap<number, number>;

/** The result of a check. `after` contains the used code, which is not accepted again, or the counted failure. */
interface CodeCheck {
  after: StoredFactors;
  /** The kind of an accepted code. Undefined for a wrong code. */
  use?: FactorUse;
  /** True for the wrong code after which further codes have to wait for the first time. */
  reachesLimit?: boolean;
}

/** Checks a code, which `entered` has returned. `steps` are the time steps of a code of an app. */
export function checkCode(stored: StoredFactors, code: string, steps: CodeSteps, now: Date): CodeCheck {
  const accepted = isAppCode(code) ? useAppCode(stored, steps, now) : useRecoveryCode(stored, code);
  if (!accepted) {
    const after = withFailure(stored, now);
    return { after, reachesLimit: after.failures === freeFailures };
  }
  const { retryAt: _, ...after } = { ...accepted, failures: 0 };
  return { after, use: isAppCode(code) ? 'totp' : 'recovery_code' };
}

function useAppCode(stored: StoredFactors, steps: CodeSteps, now: Date): StoredFactors | undefined {
  const factor = confirmedApps(stored).find(({ id }) => steps.has(id));
  return (
    factor &&
    replaceFactor(stored, { ...factor, lastStep: steps.get(factor.id), lastUsedAt: now.toISOString() })
  );
}

function useRecoveryCode(stored: StoredFactors, code: string): StoredFactors | undefined {
  const used = hashSecret(code);
  const recoveryCodes = stored.recoveryCodes.filter((hash) => hash !== used);
  return recoveryCodes.length < stored.recoveryCodes.length ? { ...stored, recoveryCodes } : undefined;
}

function withFailure(stored: StoredFactors, now: Date): StoredFactors {
  const failures = stored.failures + 1;
  if (failures < freeFailures) return { ...stored, failures };
  const seconds = Math.min(firstDelay * 2 ** (failures - freeFailures), longestDelay);
  return { ...stored, failures, retryAt: new Date(now.getTime() + seconds * 1000).toISOString() };
}

/** Returns the proof of a session after a factor of its person was removed. Null if no factor of the proved kind remains. */
export function provedAfter(stored: StoredFactors, proved: FactorUse | undefined): FactorUse | null {
  const left = confirmedFactors(stored);
  const remains = left.some(({ type }) => type === proved || proved === 'recovery_code');
  return proved !== undefined && remains ? proved : null;
}
