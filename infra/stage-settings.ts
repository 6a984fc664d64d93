import {
  array,
  boolean,
  email,
  integer,
  number,
  object,
  oneOf,
  optional,
  type Static,
  string,
  unsafe,
  webAddress,
} from '../shared/schema.ts';

const throttle = (description: string) =>
  object(
    {
      rateLimit: integer({ minimum: 1, description: 'Requests per second.' }),
      burstLimit: integer({ minimum: 1, description: 'The maximum number of requests in a burst.' }),
    },
    { description },
  );

/** A limit of AWS WAF, which accepts limits of at least 10. */
const sourceLimit = (description: string) => integer({ minimum: 10, description });
const perSource = (counted: string) => sourceLimit(`${counted}, in five minutes, for each IP address.`);

/** The settings of a deployment. `stages.ts` has their values, and `stage-overrides.ts` validates overrides. */
export const StageSettings = object({
  name: oneOf(['dev', 'prod', 'local']),
  protected: boolean({
    description:
      'Retains the data if its stack is deleted, or if a deployment replaces or removes its resource.',
  }),
  deletionProtection: boolean({
    description:
      'Protects the table and the stacks from deletion. Set it to false for the first deployment, so that CloudFormation can remove what a failed deployment created.',
  }),
  logDays: unsafe<1 | 7 | 30 | 90 | 365>({
    type: 'integer',
    enum: [1, 7, 30, 90, 365],
    description: 'The number of days for which logs are kept. CloudWatch accepts only certain values.',
  }),
  throttle: throttle(
    'The limits of each route, for all callers together. For requests above these limits, the gateway responds with 429.',
  ),
  signInThrottle: throttle(
    'The limits of each route of `/auth`, for all callers together. They are low, because a password check takes 0.1 s of processor time.',
  ),
  originToken: string({
    minLength: 1,
    examples: ['1'],
    description:
      'The key of the token, in the secret `origin-token`, that proves to an API that a request comes from the front: from CloudFront, or from the API that clients call.',
  }),
  edge: optional(
    object(
      {
        limits: object({
          loginsPerSource: perSource('Logins'),
          passwordRequestsPerSource: perSource('Requests below `/auth/password`'),
          requestsPerSource: perSource('All requests'),
          applicantRequestsPerSource: perSource('Requests with an appKey'),
          applicantRequests: sourceLimit(
            'Requests with an appKey, in five minutes, for all sources together.',
          ),
        }),
      },
      {
        description:
          'CloudFront with AWS WAF in front of the APIs. If omitted, clients call one of the APIs, which forwards requests to the others, and one client can use up the limits of a route.',
      },
    ),
  ),
  requestsPerMinute: integer({
    minimum: 1,
    description: 'The maximum number of requests per minute for each user and each API key.',
  }),
  errorPercent: optional(
    number({
      minimum: 0,
      maximum: 100,
      description:
        'The percentage of server errors that raises the alarm. If omitted, five errors in five minutes raise it.',
    }),
  ),
  concurrencyQuota: integer({
    minimum: 1,
    description:
      'Lambda’s concurrency quota for the AWS account and region. Other services share this quota.',
  }),
  alarmEmails: optional(
    array(email({ examples: ['ops@example.com'] }), {
      // AWS Budgets notifies at most ten addresses (AWS Cost Management User Guide, "Creating a cost budget").
      maxItems: 10,
      description:
        'The recipients of alarms and budget mails. Each recipient must first confirm a mail from AWS.',
    }),
  ),
  mailFrom: optional(
    string({
      pattern: '^(?:[^<>@\\s]+@[^<>@\\s]+|[^<>]*<[^<>@\\s]+@[^<>@\\s]+>)$',
      description: 'The sender of mail, an address verified in SES. If omitted, no mail is sent.',
      examples: ['Acme <notifications@example.com>'],
    }),
  ),
  mailDomain: optional(
    string({
      pattern: '^[a-z0-9-]+(?:\\.[a-z0-9-]+)+$',
      examples: ['mail.example.com'],
      description:
        'The service’s own domain for mail with customers, for hidden inbound addresses and reply addresses. Use a domain without mailboxes. Its MX record must name SES. If it changes, inbound addresses change and replies to older mails are not recognized. If omitted, there is no mail with customers.',
    }),
  ),
  domain: optional(
    object(
      {
        name: string({ pattern: '^[a-z0-9-]+(?:\\.[a-z0-9-]+)+$', examples: ['api.example.com'] }),
        certificateArn: string({
          pattern: '^arn:aws:acm:',
          examples: ['arn:aws:acm:us-east-1:123456789012:certificate/one'],
        }),
      },
      {
        description:
          'The domain of the API, with an ACM certificate. With `edge`, the certificate must be in us-east-1, otherwise in `region`. Default: the URL of CloudFront or API Gateway.',
      },
    ),
  ),
  passkeyDomain: optional(
    string({
      pattern: '^(?:localhost|[a-z0-9-]+(?:\\.[a-z0-9-]+)+)$',
      examples: ['example.com'],
      description:
        'The domain to which passkeys belong (the RP ID of WebAuthn): the host of the pages that use passkeys, or a domain above it. If it changes, all passkeys become useless. Pages may use passkeys at the API’s `domain` and in `allowedOrigins`, if their hosts are this domain or below it. Default: the name of `domain`. Without both, there are no passkeys.',
    }),
  ),
  allowedOrigins: array(string({ pattern: '^https?://[^/\\s]+$', examples: ['https://app.example.com'] }), {
    description: 'The origins (scheme, host, port) whose pages may call the API.',
  }),
  maxReadRequestUnits: optional(
    integer({
      minimum: 1,
      description:
        'The maximum read capacity of the table, and of each index, in units per second. Limits the cost of mistakes.',
    }),
  ),
  maxWriteRequestUnits: optional(
    integer({ minimum: 1, description: 'The maximum write capacity, like `maxReadRequestUnits`.' }),
  ),
  monthlyBudget: optional(
    number({
      minimum: 1,
      description:
        'The monthly budget of the AWS account in US dollars. Budget mails are sent to `alarmEmails`, which it needs.',
    }),
  ),
  awsAccount: optional(
    string({
      pattern: '^[0-9]{12}$',
      description: 'The only AWS account for deployments. Default: the account of the credentials.',
      examples: ['123456789012'],
    }),
  ),
  region: optional(
    string({
      pattern: '^[a-z]{2}(?:-[a-z]+)+-[0-9]$',
      description: 'The only region for deployments. Default: the region of the credentials.',
      examples: ['eu-central-1'],
    }),
  ),
  endpoint: optional(
    webAddress({
      description:
        'The endpoint of AWS services for functions in an emulator. Replaces the endpoint that the emulator sets.',
      examples: ['http://127.0.0.1:4566'],
    }),
  ),
  emulator: optional(
    boolean({
      description:
        'The stage is deployed to an emulator that serves its APIs below one address, and not at their own domains.',
    }),
  ),
  restoredTable: optional(
    object(
      {
        name: string({ minLength: 3 }),
        streamArn: string({
          pattern: '^arn:aws:dynamodb:.+/stream/',
          examples: ['arn:aws:dynamodb:eu-central-1:123456789012:table/restored/stream/now'],
        }),
      },
      {
        description:
          'A table restored from a backup, with its stream. The functions use this table instead of the stack’s table.',
      },
    ),
  ),
});
export type StageSettings = Static<typeof StageSettings>;
export type StageName = StageSettings['name'];
