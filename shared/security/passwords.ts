import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** OWASP's password storage cheat sheet lists N=2^14, r=8, p=5 as equivalent to N=2^17, r=8, p=1. */
const cost = { N: 2 ** 14, r: 8, p: 5 };

const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt);

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Returns the stored form of a password: a PHC string, `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, 32, cost);
  return `$scrypt$ln=14,r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(hash)}`;
}

/** Used if no password is stored, so that the check takes the same time for unknown users and for known users. */
const dummyHash = `$scrypt$ln=14,r=8,p=5$${unpadded(Buffer.alloc(16))}$${unpadded(Buffer.alloc(32))}`;

/** Compares a password with a PHC string. If no password is stored, returns false after the same amount of work. */
export async function passwordMatches(password: string, stored: string | undefined): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] =
    /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored ?? dummyHash) ?? [];
  const expected = Buffer.from(hash, 'base64');
  const parameters = { N: 2 ** Number(ln), r: Number(r), p: Number(p) };
  const actual = await derive(
    password.normalize('NFKC'),
    Buffer.from(salt, 'base64'),
    expected.length,
    parameters,
  );
  return stored !== undefined && timingSafeEqual(actual, expected);
}
