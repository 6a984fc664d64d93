import { Aws } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';

/**
 * A service that may assume a role only on behalf of this AWS account. AWS does not document that API Gateway and Lambda
 * send `aws:SourceAccount` when they assume a role, and API Gateway was observed not to send it for integrations
 * (github.com/aws-solutions-library-samples/accelerated-intelligent-document-processing-on-aws/pull/479). With
 * `StringEquals`, every request would then fail with a 500. With `IfExists`, only another account is rejected.
 */
export const serviceInAccount = (service: string): ServicePrincipal =>
  new ServicePrincipal(service, {
    conditions: { StringEqualsIfExists: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });
