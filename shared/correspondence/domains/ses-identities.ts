import {
  CreateEmailIdentityCommand,
  DeleteEmailIdentityCommand,
  GetEmailIdentityCommand,
  PutEmailIdentityMailFromAttributesCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { tuneClient } from '../../tune-client.ts';
import type { CheckState, SesIdentity } from './schema.ts';
import { returnPathOf } from './show-domain.ts';

/** The zone of Easy DKIM, for responses without `SigningHostedZone`. */
const usualDkimZone = 'dkim.amazonses.com';

interface FoundIdentity extends SesIdentity {
  verified: boolean;
}

let client: SESv2Client | undefined;
const ses = (): SESv2Client => {
  client ??= tuneClient(new SESv2Client({ maxAttempts: 2 }));
  return client;
};

/** The timeout of a call, which also ends with the attempt of the job. */
const within = (signal: AbortSignal) => ({
  abortSignal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
});

/**
 * The identities of domains at SES. All accounts of the service share them, so that only the holder of a domain may use its
 * identity. Errors of SES are thrown, and the job is retried.
 */
export const sesIdentities = {
  /** Creates the identity of a domain with its return path. An existing identity is kept. */
  async register(domain: string, signal: AbortSignal): Promise<void> {
    await unlessNamed('AlreadyExistsException', () =>
      ses().send(new CreateEmailIdentityCommand({ EmailIdentity: domain }), within(signal)),
    );
    await ses().send(
      new PutEmailIdentityMailFromAttributesCommand({
        EmailIdentity: domain,
        MailFromDomain: returnPathOf(domain),
        BehaviorOnMxFailure: 'USE_DEFAULT_VALUE',
      }),
      within(signal),
    );
  },

  /** Returns the DNS records of an identity and the results of the checks of SES; undefined if it does not exist. */
  async find(domain: string, signal: AbortSignal): Promise<FoundIdentity | undefined> {
    const found = await unlessNamed('NotFoundException', () =>
      ses().send(new GetEmailIdentityCommand({ EmailIdentity: domain }), within(signal)),
    );
    if (!found) return undefined;
    const { DkimAttributes: dkim = {}, MailFromAttributes: mailFrom, VerifiedForSendingStatus } = found;
    return {
      dkimTokens: dkim.Tokens ?? [],
      dkimZone: dkim.SigningHostedZone ?? usualDkimZone,
      dkim: stateOf(dkim.Status),
      returnPath: stateOf(mailFrom?.MailFromDomainStatus),
      region: await ses().config.region(),
      verified: VerifiedForSendingStatus === true,
    };
  },

  /** Deletes the identity of a domain. Also succeeds if it does not exist. */
  async remove(domain: string, signal: AbortSignal): Promise<void> {
    await unlessNamed('NotFoundException', () =>
      ses().send(new DeleteEmailIdentityCommand({ EmailIdentity: domain }), within(signal)),
    );
  },
};

async function unlessNamed<T>(name: string, call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof Error && error.name === name) return undefined;
    throw error;
  }
}

const states: Readonly<Record<string, CheckState>> = {
  PENDING: 'pending',
  SUCCESS: 'success',
  FAILED: 'failed',
  TEMPORARY_FAILURE: 'temporary_failure',
  NOT_STARTED: 'not_started',
};

const stateOf = (status: string | undefined): CheckState => states[status ?? ''] ?? 'not_started';
