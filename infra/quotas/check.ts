import { type Limit, templatesOf, type Usage } from './limit.ts';
import { apiGatewayLimits } from './limits/api-gateway.ts';
import { cloudFormationLimits } from './limits/cloudformation.ts';
import { cloudFrontLimits } from './limits/cloudfront.ts';
import { dataLimits } from './limits/data.ts';
import { iamLimits } from './limits/iam.ts';
import { lambdaLimits } from './limits/lambda.ts';
import { messagingLimits } from './limits/messaging.ts';
import { monitoringLimits } from './limits/monitoring.ts';
import { wafLimits } from './limits/waf.ts';
import { LongestValues } from './longest-values.ts';
import type { StackTemplate } from './stack-template.ts';

/** All limits that can be computed from templates. A limit without a source in the AWS documentation is not listed. */
export const awsLimits: readonly Limit[] = [
  ...cloudFormationLimits,
  ...iamLimits,
  ...lambdaLimits,
  ...apiGatewayLimits,
  ...messagingLimits,
  ...monitoringLimits,
  ...cloudFrontLimits,
  ...wafLimits,
  ...dataLimits,
];

/** How much of a limit is used in one place. */
interface Finding extends Usage {
  limit: Limit;
  allowed: number;
  /** `used` divided by `allowed`, or `allowed` divided by `used` for a minimum. More than 1 exceeds the limit. */
  share: number;
}

/** From this share on, a limit is a warning. */
export const warningShare = 0.8;

/**
 * Computes how much of each limit these stacks use. The stacks must include all stacks to which they refer, such as all
 * stacks of a stage. Throws if a template has a reference or statement whose size is unknown.
 */
export function checkQuotas(stacks: readonly StackTemplate[], of: readonly Limit[] = awsLimits): Finding[] {
  const templates = templatesOf(stacks, new LongestValues(stacks));
  return of.flatMap((limit) =>
    limit.usages(templates).map((usage) => {
      const allowed = typeof limit.allowed === 'number' ? limit.allowed : limit.allowed(usage.region);
      const share = limit.minimum ? allowed / usage.used : usage.used / allowed;
      return { ...usage, limit, allowed, share };
    }),
  );
}

/** Reports whether a deployment would fail, even if AWS increased all limits that it can increase. */
export const isImpossible = ({ limit, share }: Finding): boolean => limit.kind === 'hard' && share > 1;

/** Returns the highest finding of each limit, in the order of the limits. */
export function highestOf(findings: readonly Finding[]): Finding[] {
  const highest = new Map<Limit, Finding>();
  for (const finding of findings)
    if (finding.share > (highest.get(finding.limit)?.share ?? -1)) highest.set(finding.limit, finding);
  return [...highest.values()];
}

/** Describes a finding in one line, such as `IAM: inline policies …: 10,517 of 10,240 (103%, hard) in …`. */
export const describeFinding = ({ limit, used, allowed, share, where }: Finding): string =>
  `${limit.service}: ${limit.counted}: ${count(used)} of ${allowedText(limit, allowed)} (${percent(share)}, ${limit.kind}) in ${where}`;

/** Describes the highest finding of each limit of which more than 80% is used. */
export function warningsOf(findings: readonly Finding[]): string[] {
  const near = findings.filter(({ limit, share }) => share > warningShare && !limit.setting);
  return highestOf(near).map((finding) => {
    const others = near.filter(({ limit }) => limit === finding.limit).length - 1;
    return `${describeFinding(finding)}${others > 0 ? `, and in ${others} other places` : ''}`;
  });
}

/** Returns the rows of a table with the highest finding of each limit. */
export const rowsOf = (findings: readonly Finding[]): string[][] => [
  ['service', 'limit', 'used', 'allowed', '%', 'kind', 'where'],
  ...highestOf(findings).map(({ limit, used, allowed, share, where }) => [
    limit.service,
    limit.counted,
    count(used),
    allowedText(limit, allowed),
    percent(share),
    limit.kind,
    where,
  ]),
];

export const count = (number: number): string => number.toLocaleString('en-US');

const allowedText = (limit: Limit, allowed: number): string =>
  limit.minimum ? `at least ${count(allowed)}` : count(allowed);

const percent = (share: number): string => `${Math.ceil(share * 100)}%`;
