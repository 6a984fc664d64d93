import { createHash } from 'node:crypto';

/** A request to the stand-in of SES. */
interface IdentityRequest {
  method: string;
  path: string;
  body: string;
}

interface IdentityResponse {
  status: number;
  type: string;
  body: string;
}

interface Identity {
  returnPath?: string;
  /** True after the first read. */
  checked: boolean;
}

/**
 * Domains whose first label is one of these remain in this state. The DKIM records of all other domains are found at the second
 * read of their identity, because the stand-in of SES queries no DNS.
 */
const fixedStates: Readonly<Record<string, string>> = {
  pending: 'PENDING',
  failing: 'FAILED',
  verified: 'SUCCESS',
};

/**
 * Replaces the requests of SES v2 about email identities: create, read and delete an identity, and set its return path.
 * Identities are kept in memory. Returns undefined for other requests.
 */
export function mailIdentities(): (request: IdentityRequest) => IdentityResponse | undefined {
  const identities = new Map<string, Identity>();

  const shown = (domain: string, { returnPath, checked }: Identity) => {
    const [label = ''] = domain.split('.');
    const status = fixedStates[label] ?? (checked ? 'SUCCESS' : 'PENDING');
    return {
      IdentityType: 'DOMAIN',
      VerifiedForSendingStatus: status === 'SUCCESS',
      DkimAttributes: {
        SigningEnabled: true,
        SigningAttributesOrigin: 'AWS_SES',
        Status: status,
        Tokens: [1, 2, 3].map((n) =>
          createHash('sha256').update(`${n} ${domain}`).digest('hex').slice(0, 32),
        ),
      },
      ...(returnPath !== undefined && {
        MailFromAttributes: {
          MailFromDomain: returnPath,
          MailFromDomainStatus: status,
          BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
        },
      }),
    };
  };

  const create = (body: string): IdentityResponse => {
    const { EmailIdentity: domain = '' } = JSON.parse(body) as { EmailIdentity?: string };
    if (identities.has(domain)) return refusal(400, 'AlreadyExistsException', 'The identity exists.');
    identities.set(domain, { checked: false });
    return json(shown(domain, { checked: false }));
  };

  const change = ({ method, body }: IdentityRequest, domain: string, part: string | undefined) => {
    const identity = identities.get(domain);
    if (!identity) return refusal(404, 'NotFoundException', 'The identity does not exist.');
    if (method === 'DELETE' && part === undefined) identities.delete(domain);
    if (method === 'PUT' && part === 'mail-from') {
      const { MailFromDomain } = JSON.parse(body) as { MailFromDomain?: string };
      identities.set(domain, { ...identity, ...(MailFromDomain && { returnPath: MailFromDomain }) });
    }
    if (method !== 'GET') return json({});
    identities.set(domain, { ...identity, checked: true });
    return json(shown(domain, identity));
  };

  return (request) => {
    const [, named, part] =
      /^\/v2\/email\/identities(?:\/([^/?]+)(?:\/([^/?]+))?)?$/.exec(request.path) ?? [];
    if (named !== undefined) return change(request, decodeURIComponent(named), part);
    return request.path === '/v2/email/identities' && request.method === 'POST'
      ? create(request.body)
      : undefined;
  };
}

const json = (value: object): IdentityResponse => ({
  status: 200,
  type: 'application/json',
  body: JSON.stringify(value),
});

const refusal = (status: number, code: string, message: string): IdentityResponse => ({
  status,
  type: 'application/json',
  body: JSON.stringify({ message, __type: code, code }),
});
