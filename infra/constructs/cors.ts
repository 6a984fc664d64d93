import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, type CorsPreflightOptions } from 'aws-cdk-lib/aws-apigatewayv2';
import { corsRules } from '../cors-rules.ts';
import type { StageSettings } from '../stages.ts';

/** What pages of other origins may do; nothing at all where the stage allows no origin. */
export const corsOf = ({ allowedOrigins }: StageSettings): CorsPreflightOptions | undefined =>
  allowedOrigins.length === 0
    ? undefined
    : {
        allowOrigins: [...allowedOrigins],
        allowMethods: corsRules.methods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...corsRules.requestHeaders],
        exposeHeaders: [...corsRules.responseHeaders],
        maxAge: Duration.seconds(corsRules.maxAgeSeconds),
      };
