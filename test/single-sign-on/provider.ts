import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll } from 'vitest';
import { clock } from '../harness/clock.ts';

type Key = Awaited<ReturnType<typeof generateKeyPair>> & { kid: string };

const newKey = async (kid: string): Promise<Key> => ({
  ...(await generateKeyPair('ES256', { extractable: true })),
  kid,
});

const bodyOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new URLSearchParams(Buffer.concat(chunks).toString());
};

/** An identity provider on a loopback address, whose responses a test chooses. Unlike a real one, it can lie. */
export class LyingProvider {
  readonly issuer: string;
  key: Key;
  /** Changes the settings that the provider publishes. */
  published: Record<string, unknown> = {};
  /** Makes the ID token of the next sign-ins. Default: an honest one. */
  idToken: (claims: JWTPayload) => Promise<string> | string = (claims) => this.sign(claims);
  userinfo: Record<string, unknown> | undefined;
  /** The claims for each code, which `authorize` stores. A code may be used once. */
  readonly codes = new Map<string, JWTPayload>();
  /** The requests to the token endpoint. */
  readonly tokenRequests: { form: URLSearchParams; authorization: string | undefined }[] = [];
  isDown = false;
  #codes = 0;
  #stop: () => Promise<unknown>;

  private constructor(port: number, key: Key, stop: () => Promise<unknown>) {
    this.issuer = `http://127.0.0.1:${port}`;
    this.key = key;
    this.#stop = stop;
  }

  /** Starts a provider. It stops after the test file. */
  static async start(): Promise<LyingProvider> {
    let provider: LyingProvider | undefined;
    const server = createServer((request, response) => void provider?.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    };
    provider = new LyingProvider(port, await newKey('key-1'), stop);
    const started = provider;
    afterAll(() => started.stop());
    return provider;
  }

  stop = (): Promise<unknown> => this.#stop();

  async rotateKey(): Promise<void> {
    this.key = await newKey(`key-${Math.random()}`);
  }

  /** Signs claims with the key of the provider. The times are those of the test's clock, if `claims` contain no others. */
  sign(claims: JWTPayload, { key = this.key, typ }: { key?: Key; typ?: string } = {}): Promise<string> {
    const now = Math.floor(clock.now().getTime() / 1000);
    return new SignJWT({ iat: now, exp: now + 300, iss: this.issuer, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...(typ && { typ }) })
      .sign(key.privateKey);
  }

  /** Answers an authorization request as if the user had signed in. Returns the query of the callback. */
  authorize(location: string, claims: JWTPayload): { code: string; state: string; iss: string } {
    const { searchParams } = new URL(location);
    const code = `code-${++this.#codes}`;
    this.codes.set(code, {
      aud: searchParams.get('client_id') ?? '',
      nonce: searchParams.get('nonce'),
      ...claims,
    });
    return { code, state: searchParams.get('state') ?? '', iss: this.issuer };
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (this.isDown) return void response.writeHead(503).end();
    const { issuer } = this;
    if (request.url === '/.well-known/openid-configuration')
      return void json(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        authorization_response_iss_parameter_supported: true,
        ...(this.userinfo && { userinfo_endpoint: `${issuer}/userinfo` }),
        ...this.published,
      });
    if (request.url === '/jwks') {
      const jwk = await exportJWK(this.key.publicKey);
      return void json(200, { keys: [{ ...jwk, kid: this.key.kid, alg: 'ES256', use: 'sig' }] });
    }
    if (request.url === '/userinfo') return void json(200, this.userinfo);
    const form = await bodyOf(request);
    this.tokenRequests.push({ form, authorization: request.headers.authorization });
    const claims = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    if (!claims) return void json(400, { error: 'invalid_grant' });
    json(200, { access_token: 'at', token_type: 'Bearer', id_token: await this.idToken(claims) });
  }
}
