import {
  GetAWSDefaultServiceQuotaCommand,
  GetServiceQuotaCommand,
  NoSuchResourceException,
  ServiceQuotasClient,
} from '@aws-sdk/client-service-quotas';
import { awsLimits, checkQuotas, highestOf, warningShare } from '../quotas/check.ts';
import type { Limit, Quota } from '../quotas/limit.ts';
import type { StackTemplate } from '../quotas/stack-template.ts';
import { synthesizeStage } from '../quotas/synthesize.ts';
import type { StageSettings } from '../stages.ts';
import { closeAtEnd } from './close-at-end.ts';

export interface ComparedQuota {
  service: string;
  counted: string;
  region: string;
  /** The need of the stage, in the unit of the limit. */
  needed: number;
  /** The quota of the AWS account. */
  allowed: number;
  /** The arguments of a request for an increase. Undefined if the quota is sufficient. */
  increase?: { serviceCode: string; quotaCode: string; region: string; desiredValue: number };
}

/** A limit with a quota, and what the stage needs. */
interface Need {
  limit: Limit;
  quota: Quota;
  needed: number;
  /** The value to request if the quota is too low. */
  desired: number;
  documented: number;
}

/**
 * Compares what a stage needs with the quotas of the AWS account, in the region of the stage. Throws an error with one
 * sentence if there are no credentials or rights.
 */
export async function compareQuotas(stage: StageSettings): Promise<ComparedQuota[]> {
  const regional = clientFor(stage.region);
  const region = await regional.config.region().catch(() => {
    throw new Error('No region is set. Set region in stages.local.json, or AWS_REGION.');
  });
  const clients = new Map([[region, regional]]);
  const values = new Map<Quota, number | undefined>();
  // One request at a time, because Service Quotas allows five per second. They come first, because they can fail.
  for (const { quota } of awsLimits) {
    if (!quota) continue;
    const at = quota.region ?? region;
    const client = clients.get(at) ?? clientFor(at);
    clients.set(at, client);
    values.set(quota, await readQuota(client, quota));
  }
  const needs = needsOf(stage, await synthesizeStage({ ...stage, region }));
  return needs.map(({ limit, quota, needed, desired, documented }) => {
    const at = quota.region ?? region;
    const unit = quota.unit ?? 1;
    const value = values.get(quota);
    const allowed = value === undefined ? documented : value * unit;
    return {
      service: limit.service,
      counted: limit.counted,
      region: at,
      needed,
      allowed,
      ...(needed > allowed && {
        increase: {
          serviceCode: quota.serviceCode,
          quotaCode: quota.quotaCode,
          region: at,
          desiredValue: Math.ceil(desired / unit),
        },
      }),
    };
  });
}

const clientFor = (region: string | undefined): ServiceQuotasClient =>
  closeAtEnd(new ServiceQuotasClient(region === undefined ? {} : { region }));

/** Lambda's quota of concurrent executions. The setting `concurrencyQuota` of a stage is the number that it needs. */
const concurrencyCode = 'L-B99A9384';

/** Returns the highest use of each limit that has a quota. */
function needsOf(stage: StageSettings, templates: readonly StackTemplate[]): Need[] {
  return highestOf(checkQuotas(templates)).flatMap(({ limit, used, allowed: documented }) => {
    const { quota } = limit;
    if (!quota) return [];
    if (quota.quotaCode === concurrencyCode) {
      const needed = Math.max(used, stage.concurrencyQuota);
      const counted = 'concurrent executions (the setting concurrencyQuota)';
      return [{ limit: { ...limit, counted }, quota, needed, desired: needed, documented }];
    }
    // A request asks for so much that the stage uses 80%. A setting does not grow by itself.
    const desired = limit.setting ? used : Math.ceil(used / warningShare);
    return [{ limit, quota, needed: used, desired, documented }];
  });
}

/** Returns the quota of the AWS account, or AWS's default. Returns undefined if Service Quotas has no such quota. */
async function readQuota(
  client: ServiceQuotasClient,
  { serviceCode: ServiceCode, quotaCode: QuotaCode }: Quota,
): Promise<number | undefined> {
  const quota = { ServiceCode, QuotaCode };
  for (const read of [
    () => client.send(new GetServiceQuotaCommand(quota)),
    () => client.send(new GetAWSDefaultServiceQuotaCommand(quota)),
  ])
    try {
      const { Quota } = await read();
      if (Quota?.Value !== undefined) return Quota.Value;
    } catch (error) {
      if (!(error instanceof NoSuchResourceException)) throw explained(error);
    }
  return undefined;
}

const rejectedCredentials =
  /^(ExpiredToken|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|UnrecognizedClient)/;

/** Returns an error with one sentence for missing, rejected or insufficient credentials, or the error itself. */
function explained(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'CredentialsProviderError')
    return new Error('There are no AWS credentials. Set AWS_PROFILE, or log in with the AWS CLI.');
  if (rejectedCredentials.test(error.name)) return new Error(`AWS rejects the credentials: ${error.message}`);
  if (error.name.startsWith('AccessDenied'))
    return new Error(
      `The credentials need the rights servicequotas:GetServiceQuota and servicequotas:GetAWSDefaultServiceQuota: ${error.message}`,
    );
  if (['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT'].includes(String('code' in error && error.code)))
    return new Error(`The Service Quotas API cannot be reached: ${error.message}.`);
  return error;
}
