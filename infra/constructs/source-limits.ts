import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { ApiError, statusOf } from '../../shared/errors.ts';
import { nameIn, type StageSettings } from '../stages.ts';

type Limits = NonNullable<StageSettings['edge']>['limits'];

interface Rule {
  /** The name of the rule and of its metric. */
  name: string;
  limit: keyof Limits;
  /** Limits only requests that match. Default: all requests. */
  only?: CfnWebACL.StatementProperty;
  /** If true, the limit is for all matching requests together. Default: for each IP address. */
  together?: true;
}

/** The text transformations undo encodings with which a client could avoid a rule. */
const decoded = (...types: string[]) =>
  ['URL_DECODE', ...types].map((type, priority) => ({ type, priority }));

const path = (positionalConstraint: 'EXACTLY' | 'STARTS_WITH', searchString: string) => ({
  byteMatchStatement: {
    fieldToMatch: { uriPath: {} },
    positionalConstraint,
    searchString,
    textTransformations: decoded('NORMALIZE_PATH'),
  },
});

/** Matches the requests of applicants, whose query contains an `appKey`. */
const fromApplicants = {
  byteMatchStatement: {
    fieldToMatch: { queryString: {} },
    positionalConstraint: 'CONTAINS',
    searchString: 'appkey=',
    textTransformations: decoded('LOWERCASE'),
  },
};

/** The rules, in the order of their evaluation. The first rule whose limit is reached blocks the request. */
export const limitRules: readonly Rule[] = [
  { name: 'logins', limit: 'loginsPerSource', only: path('STARTS_WITH', '/auth/login') },
  { name: 'passwords', limit: 'passwordRequestsPerSource', only: path('STARTS_WITH', '/auth/password') },
  { name: 'applicants', limit: 'applicantRequestsPerSource', only: fromApplicants },
  { name: 'all-applicants', limit: 'applicantRequests', only: fromApplicants, together: true },
  { name: 'requests', limit: 'requestsPerSource' },
];

const tooMany = new ApiError('too_many_requests');
const status = statusOf(tooMany.code);

/** AWS WAF counts the requests of the last five minutes. */
const windowSeconds = 300;

/**
 * The web ACL of CloudFront. Above a limit, it responds with 429 before the request reaches the gateway, whose limits count
 * all callers together.
 */
export class SourceLimits extends CfnWebACL {
  constructor(scope: Construct, id: string, { stage, limits }: { stage: StageSettings; limits: Limits }) {
    const visible = (metricName: string) => ({
      metricName,
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: true,
    });
    super(scope, id, {
      name: nameIn(stage),
      description: `The limits of ${nameIn(stage)} for each source`,
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: visible(nameIn(stage)),
      customResponseBodies: {
        tooMany: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({ error: tooMany.code, status, message: tooMany.message }),
        },
      },
      rules: limitRules.map(({ name, limit, only, together }, priority) => ({
        name,
        priority,
        action: {
          block: {
            customResponse: {
              responseCode: status,
              customResponseBodyKey: 'tooMany',
              responseHeaders: [{ name: 'retry-after', value: '60' }],
            },
          },
        },
        statement: {
          rateBasedStatement: {
            limit: limits[limit],
            evaluationWindowSec: windowSeconds,
            aggregateKeyType: together ? 'CONSTANT' : 'IP',
            scopeDownStatement: only,
          },
        },
        visibilityConfig: visible(name),
      })),
    });
  }
}
