import { Duration } from 'aws-cdk-lib';
import { CorsHttpMethod, type CorsPreflightOptions } from 'aws-cdk-lib/aws-apigatewayv2';
import type { StageSettings } from '../stages.ts';

const requestHeaders = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'x-account-id',
  'x-api-key',
  'x-api-secret',
];

/** Answer headers a page may read beside those that every browser shows. */
const answerHeaders = [
  'etag',
  'idempotency-replayed',
  'retry-after',
  'x-current-page',
  'x-list-window',
  'x-request-id',
  'x-total-count',
  'x-total-pages',
];

/** What pages of other origins may do; nothing at all where the stage allows no origin. */
export const corsOf = ({ allowedOrigins }: StageSettings): CorsPreflightOptions | undefined =>
  allowedOrigins.length === 0
    ? undefined
    : {
        allowOrigins: [...allowedOrigins],
        allowMethods: [
          CorsHttpMethod.GET,
          CorsHttpMethod.POST,
          CorsHttpMethod.PUT,
          CorsHttpMethod.PATCH,
          CorsHttpMethod.DELETE,
        ],
        allowHeaders: requestHeaders,
        exposeHeaders: answerHeaders,
        // Chromium keeps a preflight two hours at most.
        maxAge: Duration.hours(2),
      };
