import { Fn, Validations } from 'aws-cdk-lib';
import { CfnIntegration, CfnRoute, type HttpApi, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Construct } from 'constructs';
import { originTokenHeader } from '../../shared/http/authorize-origin.ts';
import { viewerHeaders } from '../../shared/http/viewer.ts';
import type { StageSettings } from '../stages.ts';
import { originTokenOf } from './origin-check.ts';

interface FrontRoutesProps {
  stage: StageSettings;
  /** The API that clients call. */
  front: IHttpApi;
  /** The API of this stack, to which the front forwards requests. */
  api: HttpApi;
  /** The first path segments of the requests. */
  segments: readonly string[];
}

/**
 * The routes of the front API to the API of another stack, in stages without CloudFront. The front replaces the headers
 * of the viewer if the client sent them. API Gateway documents the mappings in "Transform API requests and responses for
 * HTTP APIs". It does not document whether `$request.path` is decoded: this was not tried on AWS.
 */
export class FrontRoutes extends Construct {
  constructor(scope: Construct, id: string, { stage, front, api, segments }: FrontRoutesProps) {
    super(scope, id);
    const integration = new CfnIntegration(this, 'Integration', {
      apiId: front.apiId,
      integrationType: 'HTTP_PROXY',
      integrationMethod: 'ANY',
      integrationUri: stage.emulator ? addressInEmulator(api) : api.apiEndpoint,
      payloadFormatVersion: '1.0',
      requestParameters: {
        'overwrite:path': '$request.path',
        [`overwrite:header.${originTokenHeader}`]: originTokenOf(stage),
        [`overwrite:header.${viewerHeaders.address}`]: '$context.identity.sourceIp',
        [`overwrite:header.${viewerHeaders.host}`]: '$context.domainName',
      },
    });
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The endpoints authenticate their callers.',
    });
    for (const segment of segments)
      for (const path of [`/${segment}`, `/${segment}/{below+}`])
        new CfnRoute(new Construct(this, path), 'Route', {
          apiId: front.apiId,
          routeKey: `ANY ${path}`,
          target: `integrations/${integration.ref}`,
          authorizationType: 'NONE',
        });
  }
}

/**
 * The address of an API in an emulator. An API's own domain is a subdomain of localhost there, which some machines do
 * not resolve. The endpoint has the form `http://<id>.execute-api.localhost:<port>`.
 */
function addressInEmulator({ apiEndpoint, apiId }: HttpApi): string {
  const [scheme, , port] = [0, 1, 2].map((n) => Fn.select(n, Fn.split(':', apiEndpoint)));
  return `${scheme}://127.0.0.1:${port}/_aws/execute-api/${apiId}/$default`;
}
