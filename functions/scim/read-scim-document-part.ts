import { endpoint } from '../../shared/endpoints/endpoint.ts';
import { discoveryDocuments, discoveryPart } from '../../shared/provisioning/discovery.ts';
import { ScimDocument } from '../../shared/provisioning/schema.ts';
import { scimBase, scimTerms } from '../../shared/provisioning/scim-endpoint.ts';
import { object, oneOf, string } from '../../shared/schema.ts';

export default endpoint({
  ...scimTerms,
  method: 'GET',
  path: '/scim/v2/{document}/{id}',
  params: object({
    document: oneOf(discoveryDocuments, { examples: ['Schemas'] }),
    id: string({ maxLength: 200, examples: ['urn:ietf:params:scim:schemas:core:2.0:User'] }),
  }),
  response: ScimDocument,
  summary: 'Read one schema or resource type of SCIM',
  decide: ({ params, headers }) => ({
    response: discoveryPart(params.document, params.id, scimBase(headers)),
  }),
});
