import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import { startLoopbackServer } from '../../infra/administration/loopback-server.ts';

type Context = Record<string, string>;

interface KmsRequest {
  KeyId: string;
  /** The bytes to sign, in base64. */
  Message?: string;
  CiphertextBlob?: string;
  EncryptionContext?: Context;
}

/** A failure of KMS: the name of its error and the HTTP status. */
type Failure = readonly [name: string, status: number];

/** Controls the next responses of KMS and lists its calls. */
export const kms = {
  /** The calls of `GenerateDataKey`, `Decrypt`, `GetPublicKey` and `Sign`, in order, including failed calls. */
  calls: [] as { operation: string; keyId: string; context: Context | undefined }[],
  /** The failures of the next requests, one for each request. */
  failing: [] as Failure[],
  /** If set, every request fails with this failure. */
  failure: undefined as Failure | undefined,

  reset(): void {
    Object.assign(kms, { calls: [], failing: [], failure: undefined });
  },
};

/**
 * Starts a KMS on loopback. Like the KMS of AWS, the server never returns its key and binds the encryption context to
 * the ciphertext. The server rejects a ciphertext if the context or the key id differs, or if another KMS created it.
 */
export async function startKms(): Promise<string> {
  const master = randomBytes(32);
  const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const bind = ({ KeyId, EncryptionContext = {} }: KmsRequest) =>
    Buffer.from(JSON.stringify([KeyId, Object.entries(EncryptionContext).sort()]));

  const operations: Record<string, (request: KmsRequest) => object | Failure> = {
    GenerateDataKey(request) {
      const [key, nonce] = [randomBytes(32), randomBytes(12)];
      const cipher = createCipheriv('aes-256-gcm', master, nonce).setAAD(bind(request));
      const blob = Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
      return {
        KeyId: request.KeyId,
        Plaintext: key.toString('base64'),
        CiphertextBlob: blob.toString('base64'),
      };
    },
    Decrypt(request) {
      const blob = Buffer.from(request.CiphertextBlob ?? '', 'base64');
      const decipher = createDecipheriv('aes-256-gcm', master, blob.subarray(0, 12), { authTagLength: 16 });
      decipher.setAAD(bind(request)).setAuthTag(blob.subarray(-16));
      try {
        const key = Buffer.concat([decipher.update(blob.subarray(12, -16)), decipher.final()]);
        return { KeyId: request.KeyId, Plaintext: key.toString('base64') };
      } catch {
        return ['InvalidCiphertextException', 400];
      }
    },
    GetPublicKey: ({ KeyId }) => ({
      KeyId,
      PublicKey: signing.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    }),
    Sign: ({ KeyId, Message = '' }) => ({
      KeyId,
      Signature: sign('sha256', Buffer.from(Message, 'base64'), signing.privateKey).toString('base64'),
    }),
  };

  const server = await startLoopbackServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    const body = JSON.parse(await text(request)) as KmsRequest;
    kms.calls.push({ operation, keyId: body.KeyId, context: body.EncryptionContext });
    const given = kms.failing.shift() ??
      kms.failure ??
      operations[operation]?.(body) ?? ['UnknownOperationException', 400];
    const [status, answer] = Array.isArray(given) ? [given[1], { __type: given[0] }] : [200, given];
    response
      .writeHead(status, {
        'content-type': 'application/x-amz-json-1.1',
        // Uses Date.now(), because a test may replace it, and the SDK retries if the time of the response differs.
        date: new Date(Date.now()).toUTCString(),
      })
      .end(JSON.stringify(answer));
  });
  afterAll(server.stop);
  return server.endpoint;
}
