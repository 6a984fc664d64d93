import { builtDocument } from '../../shared/endpoints/built-document.ts';
import { unsafe } from '../../shared/schema.ts';

export default builtDocument({
  path: '/partner-contract.json',
  response: unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  mediaType: 'application/json; charset=utf-8',
  apiArtifact: 'partnerContract',
  document: ({ partnerContract }) => partnerContract,
  summary: 'Read Partner contract v1, an OpenAPI 3.1 document',
  description:
    'The requests that an account’s partner must accept, and the events that it sends. See PUT /integrations/partner/connection.',
});
