import { SignatureV4 } from '@smithy/signature-v4';
import { afterAll } from 'vitest';

/** What the signature of a request is made with: fields of the signer that its types keep to itself. */
interface Signer {
  service: string;
  credentialProvider(): Promise<{ accessKeyId: string }>;
}
interface SignedRequest {
  headers: Record<string, string>;
}
interface Scope {
  signingService?: string;
}

/** Those whose engines look at the name of the key and not at the signature. The bucket's verifies each. */
const unverified = ['dynamodb', 'sqs'];

type Sign = (this: Signer, request: SignedRequest, scope?: Scope) => Promise<SignedRequest>;
const signRequest: Sign = Reflect.get(SignatureV4.prototype, 'signRequest');

/**
 * Signing takes an eighth of the processor time of a request, and the engines of table and queues verify no signature: of
 * the suite's they get the name of the key alone. What verifies has real ones: the bucket's engine here, the emulator of
 * AWS with IAM on in `npm run test:deploy`. What measures processor time sets `process.env.FULL_SIGNATURE`.
 */
export function quickSignature(): void {
  const signQuickly: Sign = async function signQuickly(request, scope) {
    const service = scope?.signingService ?? this.service;
    if (process.env.FULL_SIGNATURE || !unverified.includes(service))
      return signRequest.call(this, request, scope);
    const { accessKeyId } = await this.credentialProvider();
    request.headers['x-amz-date'] = '20260101T000000Z';
    request.headers.authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host;x-amz-date, Signature=0`;
    return request;
  };
  Reflect.set(SignatureV4.prototype, 'signRequest', signQuickly);
  afterAll(() => void Reflect.set(SignatureV4.prototype, 'signRequest', signRequest));
}
