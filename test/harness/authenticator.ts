import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { NewCredential, UsedCredential } from '../../shared/people/factors/schema.ts';

/** A page in the scope of the passkeys of the stage `local`. */
const ownPage = 'http://localhost:3000';

interface Passkey {
  id: string;
  rpId: string;
  userHandle: string;
  key: KeyObject;
  counter: number;
}

/** What a false page, a false authenticator or an attacker does differently. */
/** The formats of attestations. `packed` is signed by the passkey itself, and `apple` has a certificate. */
export type Attestation = 'none' | 'packed' | 'apple';

interface Differences {
  /** Default `none`. */
  attestation?: Attestation;
  origin?: string;
  rpId?: string;
  /** The challenge that is signed. */
  challenge?: string;
  /** False if the authenticator has not verified the user. */
  verified?: boolean;
  /** The count of signatures. Default: one more than before. */
  counter?: number;
  userHandle?: string;
  /** The type of the ceremony in the signed data. */
  type?: string;
  crossOrigin?: boolean;
  algorithm?: number;
}

/** The options of a creation that the authenticator uses. */
interface NewPasskeyOptions {
  rp: { id: string };
  user: { id: string };
  challenge: string;
}

/** The options of a login that the authenticator uses. */
interface SignInOptions {
  challenge: string;
  rpId: string;
}

/** A software authenticator with a browser: a second implementation of the client side of WebAuthn Level 3, with ES256. */
export class Authenticator {
  readonly passkeys: Passkey[] = [];

  /** Creates a passkey, as `navigator.credentials.create` does. */
  create({ rp, user, challenge }: NewPasskeyOptions, differences: Differences = {}): NewCredential {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(32);
    const rpId = differences.rpId ?? rp.id;
    this.passkeys.push({ id: base64url(id), rpId, userHandle: user.id, key: privateKey, counter: 0 });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    const coseKey = map([
      [1, integer(2)],
      [3, integer(differences.algorithm ?? -7)],
      [-1, integer(1)],
      [-2, bytes(Buffer.from(x, 'base64url'))],
      [-3, bytes(Buffer.from(y, 'base64url'))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = Buffer.concat([
      dataOf(rpId, differences.counter ?? 0, { ...differences, attested: true }),
      Buffer.alloc(16),
      length,
      id,
      coseKey,
    ]);
    const client = clientData('webauthn.create', challenge, differences);
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
    const statements = {
      none: [],
      packed: [
        ['alg', integer(-7)],
        ['sig', bytes(signature)],
      ],
      apple: [['x5c', list([bytes(Buffer.alloc(8))])]],
    } satisfies Record<Attestation, [string, Buffer][]>;
    const { attestation: format = 'none' } = differences;
    const attestation = map([
      ['fmt', text(format)],
      ['attStmt', map(statements[format])],
      ['authData', bytes(data)],
    ]);
    return {
      ...named(base64url(id)),
      response: {
        clientDataJSON: base64url(client),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Uses the newest passkey, or a passkey with an id, as `navigator.credentials.get` does. */
  use({ challenge, rpId }: SignInOptions, differences: Differences = {}, id?: string): UsedCredential {
    const passkey = id === undefined ? this.passkeys.at(-1) : this.passkeys.find((one) => one.id === id);
    if (!passkey) throw new Error('The authenticator has no such passkey.');
    passkey.counter = differences.counter ?? passkey.counter + 1;
    const data = dataOf(differences.rpId ?? rpId, passkey.counter, differences);
    const client = clientData('webauthn.get', challenge, differences);
    return {
      ...named(passkey.id),
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), passkey.key)),
        userHandle: differences.userHandle ?? passkey.userHandle,
      },
    };
  }
}

const named = (id: string) => ({ id, rawId: id, type: 'public-key' as const });
const base64url = (data: Buffer): string => data.toString('base64url');
const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();

const clientData = (type: string, challenge: string, differences: Differences): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: differences.type ?? type,
      challenge: differences.challenge ?? challenge,
      origin: differences.origin ?? ownPage,
      crossOrigin: differences.crossOrigin ?? false,
    }),
  );

/** The authenticator data (WebAuthn, 6.1) up to the counter. */
function dataOf(rpId: string, counter: number, { verified = true, attested = false }): Buffer {
  const tail = Buffer.alloc(5);
  tail.writeUInt8((verified ? 0x05 : 0x01) | (attested ? 0x40 : 0));
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), tail]);
}

/** Encodes the head of a CBOR item (RFC 8949, 3) for numbers below 65,536. */
function head(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count]);
  if (count < 256) return Buffer.from([(major << 5) | 24, count]);
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255]);
}

const integer = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value]);
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const list = (items: Buffer[]): Buffer => Buffer.concat([head(4, items.length), ...items]);
const map = (entries: [string | number, Buffer][]): Buffer =>
  Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, value]) => [typeof key === 'number' ? integer(key) : text(key), value]),
  ]);
